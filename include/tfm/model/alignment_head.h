// The cross-attention that word alignments are computed from: one head, the mean of a layer's
// heads, or the mean of all heads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/config/config.h"

namespace tfm {

struct AlignmentHead {
  std::optional<std::int64_t> layer;  ///< nullopt for the mean of all layers
  std::optional<std::int64_t> head;   ///< nullopt for the mean of the layer's heads
  /// Uses the attention of the step that has read the target token (Chen et al. 2020, section 4)
  /// instead of the step that predicts it.
  bool shifted = false;
};

/// Parses "2:0", "2" or "mean", the values of decoding.alignment_head. Throws ConfigError if the
/// model does not have the layer or head.
AlignmentHead parse_alignment_head(std::string_view text, const ModelConfig& model);
/// Formats the head so that parse_alignment_head accepts it; shifted is omitted.
std::string to_string(const AlignmentHead& head);

}  // namespace tfm
