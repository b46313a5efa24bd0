// Reads and writes named tensors in one file, in the safetensors format: 8-byte little-endian
// header length, JSON header, raw data. Loading a file runs no code, so files from untrusted
// sources are safe. The header and all ranges are checked before any data is used.
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

/// Writes tensors atomically. They may be on any device and need not be contiguous. Throws
/// ModelError if writing fails or if the format does not have the data type of a tensor.
void write_safetensors(const std::filesystem::path& file, const StateDict& tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// Reads the tensors through a private memory mapping: nothing is copied until something writes to
/// a tensor. Throws ModelError, with the file name, if the file is missing, truncated or malformed.
SafetensorsFile read_safetensors(const std::filesystem::path& file);

/// Releases the memory of a tensor from read_safetensors, except for incomplete pages at its ends.
/// The system reads the file again when the tensor is next used. Changes to the tensor are lost.
void release_pages(const torch::Tensor& mapped);

}  // namespace tfm
