// Named tensors in one file, in the safetensors format (8-byte little-endian header length, JSON
// header, raw data): no code is run by loading one, so a model is safe to take from a stranger.
// Header and ranges are checked before any data is used.
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>

#include "tfm/tensor/state_dict.h"

namespace tfm {

struct SafetensorsFile {
  StateDict tensors;
  std::map<std::string, std::string> metadata;
};

/// Writes atomically; tensors of any device, made contiguous. Throws ModelError.
void write_safetensors(const std::filesystem::path& file, const StateDict& tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// The tensors lie in the file's private memory mapping: nothing is copied until something writes
/// to them. Throws ModelError naming the file where it is missing, cut short or malformed.
SafetensorsFile read_safetensors(const std::filesystem::path& file);

/// Gives the memory of one of those tensors back to the system, which reads it from the file again
/// when it is used again. What was written to it since it was read is lost.
void release_pages(const torch::Tensor& mapped);

}  // namespace tfm
