// The interface between a search and a model. A StepModel extends each row (hypothesis) by one
// token and returns what may follow each row. The tests of searches use hand-made probability
// tables as models; src/translate/transformer_step_model.h implements the interface with the
// Transformer.
#pragma once

#include <cstdint>
#include <span>

#include "tfm/search/next_tokens.h"

namespace tfm {

class StepModel {
 public:
  virtual ~StepModel() = default;

  /// Returns the size V of the target vocabulary.
  virtual std::int64_t vocab_size() const = 0;

  /// Extends the rows of the previous call: new row i continues row parents[i] with tokens[i]. In
  /// the first call, parents[i] is a sentence index and tokens[i] the first token (bos). If
  /// sentences have joined the batch since the previous call, they have the row indices after those
  /// of that call. Several rows may share a parent; rows without a child are dropped. The result is
  /// valid until the next call.
  virtual StepOutput advance(std::span<const std::int32_t> parents,
                             std::span<const std::int32_t> tokens) = 0;
};

}  // namespace tfm
