// What a search needs of a model, and nothing else: continue some rows by one token each and say
// how likely every next token is. Searches are written and tested against this interface with
// hand-made probability tables; translate/transformer_step_model.h implements it over the
// Transformer.
#pragma once

#include <cstdint>
#include <span>

namespace tfm {

class StepModel {
 public:
  virtual ~StepModel() = default;

  /// V
  virtual std::int64_t vocab_size() const = 0;

  /// New row i continues row parents[i] of the previous call by tokens[i]. In the first call
  /// parents[i] is a sentence (0..sentences-1) and tokens[i] its first token. A row that is no
  /// parent leaves; a row may be parent of several. Returns log-probabilities [parents.size(), V],
  /// row-major, valid until the next call.
  virtual std::span<const float> advance(std::span<const std::int32_t> parents,
                                         std::span<const std::int32_t> tokens) = 0;

  /// How much each row of the last call attended to each source token, [rows, S], row-major, each
  /// row's sum 1; source padding is at a row's end. Valid until the next call. Empty where the
  /// model doesn't tell.
  virtual std::span<const float> attention() const { return {}; }
};

}  // namespace tfm
