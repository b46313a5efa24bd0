// int8 weights in a file, packed for the kernels of one kind of processor. Processes that translate
// with the same file share its pages, and need not quantise the weights at each start.
// A file is only used on processors with the same kernels and for the weights that it was made
// from. Whether the weights are the same is decided by a checksum of samples, which differs after
// any training. It does not protect against forged files.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "tfm/tensor/linear_part.h"
#include "tfm/tensor/packed_weight.h"

namespace tfm {

/// Quantises and packs the weights of the parts, which are ordered by slot, and writes them
/// atomically. Throws ModelError if a weight contains infinities or NaN, or if writing fails.
void write_packed_file(const std::filesystem::path& file, std::span<const LinearPart> parts);

/// Returns the packed weights by slot, mapped from the file, with the biases of the parts. Returns
/// nullopt if there is no such file. If the file can't be used, a warning says why, and the result
/// is nullopt too, because the weights can always be packed again.
std::optional<std::vector<PackedWeight>> read_packed_file(const std::filesystem::path& file,
                                                          std::span<const LinearPart> parts);

}  // namespace tfm
