// Which cross-attention word alignments are read from: one head, the mean of a layer's heads, or
// the mean of all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/config/config.h"

namespace tfm {

struct AlignmentHead {
  std::optional<std::int64_t> layer;  ///< nothing: the mean of all layers
  std::optional<std::int64_t> head;   ///< nothing: the mean of the layer's heads
  /// Whether a target token's alignment is what the decoder attends to after it has read the token
  /// (Chen et al. 2020, section 4), or when it predicts it.
  bool after_reading = false;
};

/// "2:0", "2" or "mean", as decoding.alignment_head spells them. Throws ConfigError where the model
/// has no such layer or head.
AlignmentHead parse_alignment_head(std::string_view text, const ModelConfig& model);
std::string to_string(const AlignmentHead& head);

}  // namespace tfm
