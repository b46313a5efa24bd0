#include "tfm/tensor/safetensors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/mapped_file.h"
#include "tfm/core/safetensors_header.h"

namespace tfm {
namespace {

constexpr std::array<std::pair<const char*, torch::ScalarType>, 10> dtypes{
    {{"F32", torch::kFloat32},
     {"F64", torch::kFloat64},
     {"F16", torch::kFloat16},
     {"BF16", torch::kBFloat16},
     {"I64", torch::kInt64},
     {"I32", torch::kInt32},
     {"I16", torch::kInt16},
     {"I8", torch::kInt8},
     {"U8", torch::kUInt8},
     {"BOOL", torch::kBool}}};

std::string dtype_name(torch::ScalarType type) {
  for (const auto& [name, value] : dtypes) {
    if (value == type) return name;
  }
  throw ModelError("", std::string("safetensors has no data type for ") + torch::toString(type));
}

[[noreturn]] void malformed(const std::filesystem::path& file, const std::string& what) {
  throw ModelError(file.string(), "is not a valid safetensors file: " + what,
                   "It may be truncated or corrupt. Use another copy or another checkpoint.");
}

/// Returns the tensor, or a copy if its numbers are not at a multiple of their size: other programs
/// write arrays anywhere.
torch::Tensor aligned(const torch::Tensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.element_size());
  const auto* bytes = static_cast<const char*>(tensor.const_data_ptr());
  if (tensor.numel() == 0 || reinterpret_cast<std::uintptr_t>(bytes) % size == 0) return tensor;
  auto copy = torch::empty_like(tensor);
  std::memcpy(copy.mutable_data_ptr(), bytes, tensor.nbytes());
  return copy;
}

torch::Tensor map_tensor(const std::filesystem::path& file, const std::string& name,
                         const SafetensorsEntry& entry, const std::shared_ptr<MappedFile>& mapped,
                         std::size_t data_begin) {
  const auto* found = std::find_if(dtypes.begin(), dtypes.end(),
                                   [&](const auto& item) { return entry.dtype == item.first; });
  if (found == dtypes.end())
    malformed(file, "tensor '" + name + "' has the unknown data type " + entry.dtype);
  const auto tensor = torch::from_blob(
      mapped->bytes() + data_begin + entry.begin, entry.shape, [mapped](void*) {},
      torch::TensorOptions().dtype(found->second));
  return aligned(tensor);
}

ParsedSafetensorsHeader parse_header(const std::filesystem::path& file, const MappedFile& mapped) {
  try {
    return parse_safetensors_header({mapped.bytes(), mapped.size()});
  } catch (const MalformedSafetensors& error) {
    malformed(file, error.what());
  }
}

}  // namespace

void write_safetensors(const std::filesystem::path& file, const StateDict& tensors,
                       const std::map<std::string, std::string>& metadata) {
  SafetensorsHeader header{.entries = {}, .metadata = metadata};
  for (const auto& [name, tensor] : tensors)
    header.append(name, dtype_name(tensor.scalar_type()), tensor.sizes().vec());
  const auto text = format_safetensors_header(header);
  AtomicFile output(file);
  output.write(text.data(), text.size());
  for (const auto& [name, tensor] : tensors) {
    const auto plain = tensor.detach().cpu().contiguous();
    output.write(plain.data_ptr(), plain.nbytes());
  }
  output.commit();
}

SafetensorsFile read_safetensors(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<MappedFile>(file);
  const auto [header, data_begin] = parse_header(file, *mapped);
  SafetensorsFile result{.tensors = {}, .metadata = header.metadata};
  for (const auto& [name, entry] : header.entries)
    result.tensors[name] = map_tensor(file, name, entry, mapped, data_begin);
  return result;
}

void release_pages(const torch::Tensor& mapped) {
  release_mapped_pages(mapped.const_data_ptr(), mapped.nbytes());
}

}  // namespace tfm
