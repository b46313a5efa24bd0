// The parameters of Transformers' MarianMT and Pegasus models: their names, which are the same for
// both, and their order of the hidden dimensions. Import and export share them.
#pragma once

#include <string>

#include "layer_parts.h"

namespace tfm {

inline constexpr const char* huggingface_shared = "model.shared.weight";
inline constexpr const char* huggingface_output = "lm_head.weight";
inline constexpr const char* huggingface_bias = "final_logits_bias";

/// Returns the name of a linear map without ".weight" and ".bias". `which` is that of LayerSource.
std::string huggingface_linear(const LayerPart& part, const std::string& which);
/// Returns the name of the norm of a part without ".weight" and ".bias".
std::string huggingface_norm(const LayerPart& part);
/// Returns the names for a stack, "encoder" or "decoder". Only Pegasus models have a final norm.
std::string huggingface_final_norm(const std::string& stack);
std::string huggingface_embedding(const std::string& stack);
std::string huggingface_positions(const std::string& stack);

/// Returns the first rows of the position table of Transformers, [rows, D] fp32: the table of
/// tfm's sinusoidal positions with all sines before all cosines.
torch::Tensor huggingface_position_table(int64_t rows, int64_t width);

/// Returns the order that interleaves the two halves of the hidden vector, [D] int64: dimension 2i
/// of tfm is dimension i of Transformers, and dimension 2i + 1 is dimension D/2 + i.
torch::Tensor alternating_order(int64_t width);
/// Returns the inverse of alternating_order, [D] int64.
torch::Tensor halves_order(int64_t width);

}  // namespace tfm
