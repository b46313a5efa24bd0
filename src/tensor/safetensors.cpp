#include "tfm/tensor/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/mapped_file.h"

namespace tfm {
namespace {

using nlohmann::json;

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

torch::Tensor map_tensor(const std::filesystem::path& file, const std::string& name,
                         const json& entry, const std::shared_ptr<MappedFile>& data,
                         std::size_t data_begin) {
  const auto type_name = entry.at("dtype").get<std::string>();
  const auto* found = std::find_if(dtypes.begin(), dtypes.end(),
                                   [&](const auto& item) { return type_name == item.first; });
  if (found == dtypes.end())
    malformed(file, "tensor '" + name + "' has the unknown data type " + type_name);
  const auto shape = entry.at("shape").get<std::vector<int64_t>>();
  const auto [begin, end] = entry.at("data_offsets").get<std::pair<uint64_t, uint64_t>>();
  const std::size_t available = data->size() - data_begin;
  if (begin > end || end > available)
    malformed(file, "tensor '" + name + "' reaches past the end of the file");
  uint64_t elements = 1;
  // LibTorch multiplies the other extents to compute strides, even if one extent is 0.
  uint64_t strides = 1;
  constexpr auto most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  for (const int64_t extent : shape) {
    const auto size = static_cast<uint64_t>(std::max<int64_t>(extent, 1));
    if (extent < 0 || elements > available / size || strides > most / size)
      malformed(file, "tensor '" + name + "' has an impossible shape");
    elements *= static_cast<uint64_t>(extent);
    strides *= size;
  }
  if (elements * torch::elementSize(found->second) != end - begin)
    malformed(file, "tensor '" + name + "': its shape and its size do not match");
  return torch::from_blob(
      data->bytes() + data_begin + begin, shape, [data](void*) {},
      torch::TensorOptions().dtype(found->second));
}

json parse_header(const std::filesystem::path& file, const MappedFile& data,
                  std::size_t& data_begin) {
  uint64_t length = 0;
  if (data.size() < sizeof length)
    malformed(file, "it has only " + std::to_string(data.size()) + " bytes");
  std::memcpy(&length, data.bytes(), sizeof length);
  if (length > data.size() - sizeof length)
    malformed(file, "its header reaches past the end of the file");
  data_begin = sizeof length + length;
  auto header = json::parse(data.bytes() + sizeof length, data.bytes() + data_begin, nullptr,
                            /*allow_exceptions=*/false);
  if (!header.is_object()) malformed(file, "its header is not JSON");
  return header;
}

}  // namespace

void write_safetensors(const std::filesystem::path& file, const StateDict& tensors,
                       const std::map<std::string, std::string>& metadata) {
  json header = json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const uint64_t bytes = tensor.nbytes();
    header[name] = {{"dtype", dtype_name(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  // Data begins at a cache line, so that kernels read mapped weights as fast as allocated ones.
  constexpr std::size_t alignment = 64;
  text.append((alignment - (text.size() + sizeof(uint64_t)) % alignment) % alignment, ' ');
  const uint64_t length = text.size();
  AtomicFile output(file);
  output.write(&length, sizeof length);
  output.write(text.data(), text.size());
  for (const auto& [name, tensor] : tensors) {
    const auto plain = tensor.detach().cpu().contiguous();
    output.write(plain.data_ptr(), plain.nbytes());
  }
  output.commit();
}

SafetensorsFile read_safetensors(const std::filesystem::path& file) {
  const auto data = std::make_shared<MappedFile>(file);
  std::size_t data_begin = 0;
  const auto header = parse_header(file, *data, data_begin);
  SafetensorsFile result;
  try {
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        result.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        result.tensors[name] = map_tensor(file, name, entry, data, data_begin);
      }
    }
  } catch (const json::exception& error) {
    malformed(file, error.what());
  }
  return result;
}

void release_pages(const torch::Tensor& mapped) {
  release_mapped_pages(mapped.const_data_ptr(), mapped.nbytes());
}

}  // namespace tfm
