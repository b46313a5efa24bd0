// Selects the cross-attention that word alignments are computed from: one head, the mean of the
// heads of a layer, or the mean of all heads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/config/config.h"

namespace tfm {

struct AlignmentHead {
  std::optional<std::int64_t> layer;  ///< nullopt means the mean of all layers
  std::optional<std::int64_t> head;   ///< nullopt means the mean of the layer's heads
  /// If true, a target token is aligned by the attention of the decoding step that reads the token
  /// (Chen et al. 2020, section 4) instead of the step that predicts it.
  bool shifted = false;
};

/// Parses "2:0", "2" or "mean", which are values of decoding.alignment_head. Throws ConfigError if
/// the text is malformed, or if the model does not have the layer or head.
AlignmentHead parse_alignment_head(std::string_view text, const ModelConfig& model);
/// Returns the text that parse_alignment_head parses into this head. `shifted` is omitted.
std::string to_string(const AlignmentHead& head);

}  // namespace tfm
