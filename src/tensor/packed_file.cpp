#include "tfm/tensor/packed_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/tensor/capabilities.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

constexpr const char* format_name = "tfm int8 1";
constexpr const char* remedy =
    "Each start packs the weights itself. `tfm model pack` replaces the file.";

// Panels come first in the file, because the size of each is a multiple of a cache line.
std::string values_name(std::size_t slot) { return fmt::format("panels.{}", slot); }
std::string scales_name(std::size_t slot) { return fmt::format("scales.{}", slot); }

/// Returns the CRC-32 of the shape of each weight and of its first and last kilobyte.
std::string checksum_of_samples(std::span<const LinearPart> parts) {
  Crc32 sum;
  for (const auto& part : parts) {
    const auto weight = part.weight_rows().detach().contiguous();
    sum.add(weight.sizes().data(), weight.sizes().size() * sizeof(int64_t));
    const auto* bytes = static_cast<const char*>(weight.const_data_ptr());
    const std::size_t sample = std::min<std::size_t>(weight.nbytes(), 1024);
    sum.add(bytes, sample);
    sum.add(bytes + weight.nbytes() - sample, sample);
  }
  return sum.hex();
}

/// Returns the CRC-32 of all scales. A corrupt scale can make every result infinite; a corrupt
/// number of the weight can't.
std::string checksum_of_scales(const StateDict& tensors) {
  Crc32 sum;
  for (const auto& [name, tensor] : tensors) {
    if (name.starts_with("scales.")) sum.add(tensor.const_data_ptr(), tensor.nbytes());
  }
  return sum.hex();
}

/// Returns why the file can't be used for these weights, or an empty text.
std::string mismatch(const SafetensorsFile& packed, std::span<const LinearPart> parts) {
  const auto stated = [&](const char* name) {
    const auto found = packed.metadata.find(name);
    return found == packed.metadata.end() ? std::string() : found->second;
  };
  if (stated("format") != format_name) return "another version of tfm wrote it";
  if (stated("kernels") != describe_kernels())
    return fmt::format("it is for a processor with the kernels \"{}\"", stated("kernels"));
  if (stated("weights") != checksum_of_samples(parts)) return "it was made from other weights";
  if (stated("scales") != checksum_of_scales(packed.tensors)) return "its scales are corrupt";
  return {};
}

PackedWeight restore(const std::filesystem::path& file, const StateDict& tensors,
                     const LinearPart& part) {
  const auto values = tensors.find(values_name(part.slot));
  const auto scales = tensors.find(scales_name(part.slot));
  const auto weight = part.weight_rows();
  std::optional<PackedWeight> packed;
  if (values != tensors.end() && scales != tensors.end())
    packed = restore_int8(values->second, scales->second, part.bias_rows(),
                          {weight.size(0), weight.size(1)});
  if (packed) return *packed;
  throw ModelError(file.string(),
                   fmt::format("weight {} is missing or has a wrong shape", part.slot));
}

}  // namespace

void write_packed_file(const std::filesystem::path& file, std::span<const LinearPart> parts) {
  StateDict tensors;
  for (const auto& part : parts) {
    const auto quantized = quantize_rows(part.weight_rows().detach());
    if (!quantized.scales.isfinite().all().item<bool>()) {
      throw ModelError(file.string(), "can't be made: the weights contain infinities or NaN",
                       "Training diverged, or model.safetensors is corrupt. Use a checkpoint.");
    }
    tensors[values_name(part.slot)] = pack_int8(quantized).values;
    tensors[scales_name(part.slot)] = quantized.scales;
  }
  write_safetensors(file, tensors,
                    {{"format", format_name},
                     {"kernels", describe_kernels()},
                     {"weights", checksum_of_samples(parts)},
                     {"scales", checksum_of_scales(tensors)}});
}

std::optional<std::vector<PackedWeight>> read_packed_file(const std::filesystem::path& file,
                                                          std::span<const LinearPart> parts) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const auto packed = read_safetensors(file);
    const auto why = mismatch(packed, parts);
    if (!why.empty()) throw ModelError(file.string(), why);
    std::vector<PackedWeight> weights;
    for (const auto& part : parts) weights.push_back(restore(file, packed.tensors, part));
    return weights;
  } catch (const ModelError& error) {
    log_warn("{} is not used: {}. {}", file.string(), error.problem(), remedy);
    return std::nullopt;
  }
}

}  // namespace tfm
