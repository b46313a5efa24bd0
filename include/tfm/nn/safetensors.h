// Named tensors in one file, in the safetensors format (8-byte little-endian header length, JSON
// header, raw data): no code is run by loading one, so a model is safe to take from a stranger.
// Header and ranges are checked before any data is used.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <filesystem>
#include <map>
#include <string>

namespace tfm {

using NamedTensors = std::map<std::string, torch::Tensor>;

struct SafetensorsFile {
  NamedTensors tensors;
  std::map<std::string, std::string> metadata;
};

/// Writes atomically; tensors of any device, made contiguous. Throws ModelError.
void write_safetensors(const std::filesystem::path& file, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// The tensors lie in the file's private memory mapping: nothing is copied until something writes
/// to them. Throws ModelError naming the file where it is missing, cut short or malformed.
SafetensorsFile read_safetensors(const std::filesystem::path& file);

/// Gives the memory of one of those tensors back to the system, which reads it from the file again
/// when it is used again. What was written to it since it was read is lost.
void release_pages(const torch::Tensor& mapped);

/// Every parameter of a module by its name, sharing storage.
NamedTensors named_parameters(const torch::nn::Module& module);

/// Copies weights into a module. Throws ModelError naming each missing, surplus or misshapen
/// tensor.
void load_parameters(torch::nn::Module& module, const NamedTensors& weights,
                     const std::filesystem::path& origin);

/// The same without a copy, where types agree: the module's parameters lie where `weights` do.
void adopt_parameters(torch::nn::Module& module, const NamedTensors& weights,
                      const std::filesystem::path& origin);

}  // namespace tfm
