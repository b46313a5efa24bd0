#include "tfm/nn/safetensors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "tfm/core/error.h"
#include "tfm/core/files.h"

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
  throw ModelError("", std::string("safetensors has no type for ") + torch::toString(type));
}

/// A whole file mapped copy-on-write; unmapped when the last tensor over it goes.
class Mapping {
 public:
  explicit Mapping(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
      if (descriptor >= 0) ::close(descriptor);
      throw ModelError(file.string(), "can't be opened", "Check that it exists and may be read.");
    }
    size_ = static_cast<std::size_t>(status.st_size);
    void* address = size_ > 0
                        ? ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
                        : nullptr;
    ::close(descriptor);
    if (address == MAP_FAILED) throw ModelError(file.string(), "can't be mapped into memory");
    bytes_ = static_cast<char*>(address);
  }
  ~Mapping() {
    if (bytes_ != nullptr) ::munmap(bytes_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

[[noreturn]] void malformed(const std::filesystem::path& file, const std::string& what) {
  throw ModelError(file.string(), "is no valid safetensors file: " + what,
                   "It may be cut short or damaged: use another copy or checkpoint.");
}

torch::Tensor tensor_of(const std::filesystem::path& file, const std::string& name,
                        const json& entry, const std::shared_ptr<Mapping>& data,
                        std::size_t data_begin) {
  const auto type_name = entry.at("dtype").get<std::string>();
  const auto* found = std::find_if(dtypes.begin(), dtypes.end(),
                                   [&](const auto& item) { return type_name == item.first; });
  if (found == dtypes.end()) malformed(file, "tensor '" + name + "' has unknown type " + type_name);
  const auto shape = entry.at("shape").get<std::vector<int64_t>>();
  const auto [begin, end] = entry.at("data_offsets").get<std::pair<uint64_t, uint64_t>>();
  const std::size_t available = data->size() - data_begin;
  if (begin > end || end > available)
    malformed(file, "tensor '" + name + "' reaches past the end of the file");
  uint64_t elements = 1;
  for (const int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && elements > available / static_cast<uint64_t>(extent)))
      malformed(file, "tensor '" + name + "' has an impossible shape");
    elements *= static_cast<uint64_t>(extent);
  }
  if (elements * torch::elementSize(found->second) != end - begin)
    malformed(file, "tensor '" + name + "': shape and size disagree");
  return torch::from_blob(
      data->bytes() + data_begin + begin, shape, [data](void*) {},
      torch::TensorOptions().dtype(found->second));
}

json parse_header(const std::filesystem::path& file, const Mapping& data, std::size_t& data_begin) {
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

void write_safetensors(const std::filesystem::path& file, const NamedTensors& tensors,
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
  // data begins at a cache line: kernels read mapped weights as fast as allocated ones
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
  const auto data = std::make_shared<Mapping>(file);
  std::size_t data_begin = 0;
  const auto header = parse_header(file, *data, data_begin);
  SafetensorsFile result;
  try {
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        result.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        result.tensors[name] = tensor_of(file, name, entry, data, data_begin);
      }
    }
  } catch (const json::exception& error) {
    malformed(file, error.what());
  }
  return result;
}

void release_pages(const torch::Tensor& mapped) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(mapped.const_data_ptr());
  // whole pages only: others share theirs
  const std::uintptr_t begin = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + mapped.nbytes()) / page * page;
  // The pages stay in the system's cache of the file: MADV_PAGEOUT would drop them there too, and
  // the next to read them would wait for the disk.
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

NamedTensors named_parameters(const torch::nn::Module& module) {
  NamedTensors result;
  for (const auto& item : module.named_parameters()) result[item.key()] = item.value().detach();
  return result;
}

namespace {

/// Calls take(parameter, weight) for each parameter.
template <class Take>
void match_parameters(torch::nn::Module& module, const NamedTensors& weights,
                      const std::filesystem::path& origin, const Take& take) {
  const torch::NoGradGuard no_grad;
  std::string faults;
  std::set<std::string> wanted;
  for (auto& item : module.named_parameters()) {
    wanted.insert(item.key());
    const auto found = weights.find(item.key());
    if (found == weights.end()) {
      faults += "\n  missing: " + item.key();
    } else if (found->second.sizes() != item.value().sizes()) {
      faults += "\n  " + item.key() + ": " + c10::str(found->second.sizes()) +
                " where the config asks for " + c10::str(item.value().sizes());
    } else {
      take(item.value(), found->second);
    }
  }
  for (const auto& [name, tensor] : weights) {
    if (!wanted.contains(name)) faults += "\n  surplus: " + name;
  }
  if (!faults.empty())
    throw ModelError(origin.string(), "its weights do not fit the model's config:" + faults,
                     "Use the config.yaml that was saved with it.");
}

}  // namespace

void load_parameters(torch::nn::Module& module, const NamedTensors& weights,
                     const std::filesystem::path& origin) {
  match_parameters(
      module, weights, origin,
      [](torch::Tensor& parameter, const torch::Tensor& weight) { parameter.copy_(weight); });
}

void adopt_parameters(torch::nn::Module& module, const NamedTensors& weights,
                      const std::filesystem::path& origin) {
  match_parameters(module, weights, origin,
                   [](torch::Tensor& parameter, const torch::Tensor& weight) {
                     parameter.set_data(weight.to(parameter.scalar_type()));
                   });
}

}  // namespace tfm
