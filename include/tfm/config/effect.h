// The effects that a change of a config field has. Each entry of the field table
// (src/config/fields_*.cpp) states its effects. Code that needs all fields with a certain effect
// finds them in the table, so that no other library lists keys.
#pragma once

#include <initializer_list>

namespace tfm {

enum class Effect {
  shapes_model,   ///< changes the network, its vocabulary or the meaning of a weight
  batch_content,  ///< changes the examples of a training batch, or their tokens
  score,          ///< changes BLEU or chrF2 of a validation, or which score selects the best model
  loss_score,     ///< changes the loss of a validation, or which score selects the best model
  fixed_in_run,   ///< must not change when a run is resumed, because the saved state depends on it
  /// changes the output of `tfm translate`, even if only in the last digits of a score
  decoding_output,
  pair_score,  ///< changes the output of `tfm score`, even if only in the last digits
};

/// A set of effects. The set is empty for fields such as the learning rate, which may change when a
/// run is resumed: the saved state of the run stays valid.
class Effects {
 public:
  constexpr Effects() = default;
  constexpr Effects(std::initializer_list<Effect> effects) {
    for (const Effect effect : effects) bits_ |= bit(effect);
  }

  constexpr bool contains(Effect effect) const { return (bits_ & bit(effect)) != 0; }

 private:
  static constexpr unsigned bit(Effect effect) { return 1U << static_cast<unsigned>(effect); }

  unsigned bits_ = 0;
};

}  // namespace tfm
