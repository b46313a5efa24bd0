// Packs the weights of a model for int8 translation on this kind of processor, in the file
// int8.safetensors of its folder (tensor/packed_file.h). Without the file, each process quantises
// the weights at its start and keeps its own copy. This header does not include LibTorch.
#pragma once

#include <filesystem>

namespace tfm {

/// Writes int8.safetensors in a model folder or checkpoint, and returns its path. Replaces an
/// earlier file. Throws as load_model, and ModelError if a weight is not finite or writing fails.
std::filesystem::path pack_model(const std::filesystem::path& folder);

}  // namespace tfm
