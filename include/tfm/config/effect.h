// What changes if a field of the config changes. Each entry of the field table states its effects
// (src/config/fields_*.cpp), and code that must know which fields matter to it asks the table: no
// list of keys stands anywhere else.
#pragma once

#include <initializer_list>

namespace tfm {

enum class Effect {
  shapes_model,     ///< the network, its vocabulary or what a weight means
  batch_content,    ///< which examples a batch of training holds
  score,            ///< a validation's BLEU and chrF2
  loss_score,       ///< a validation's loss
  fixed_in_run,     ///< the state that a run saves: the field can't change if the run is resumed
  decoding_output,  ///< what `tfm translate` writes, be it in the last digits
  pair_score,       ///< what `tfm score` writes, be it in the last digits
};

/// A set of effects; empty for a field such as the learning rate, which a run may change between
/// two sessions without a consequence for what it has already.
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
