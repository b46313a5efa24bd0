#include "pytorch_file.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <set>

#include "pickled_tensors.h"
#include "tfm/core/error.h"
#include "tfm/core/mapped_file.h"
#include "zip.h"

namespace tfm {
namespace {

constexpr const char* corrupt_hint = "The file may be truncated or corrupt. Use another copy.";

/// The bytes of a storage, and what keeps them in memory.
struct Storage {
  std::shared_ptr<const void> owner;
  char* bytes = nullptr;
  std::size_t size = 0;
};

using Storages = std::map<std::string, Storage, std::less<>>;
using Tensors = std::map<std::string, PickledTensor>;

std::int64_t storage_bytes(const PickledTensor& tensor) {
  return tensor.storage_size * static_cast<std::int64_t>(torch::elementSize(tensor.type));
}

/// Returns the storage at this place of the file: mapped if the place is aligned for every data
/// type, otherwise copied.
Storage make_storage(const std::shared_ptr<MappedFile>& file, std::string_view bytes) {
  char* begin = file->bytes() + (bytes.data() - file->bytes());
  if (reinterpret_cast<std::uintptr_t>(begin) % alignof(double) == 0)
    return {file, begin, bytes.size()};
  const std::shared_ptr<char[]> copy(new char[bytes.size()]);
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return {copy, copy.get(), bytes.size()};
}

StateDict make_tensors(const Tensors& tensors, const Storages& storages) {
  StateDict result;
  for (const auto& [name, tensor] : tensors) {
    const auto found = storages.find(tensor.storage);
    if (found == storages.end())
      throw PickleError(
          fmt::format("tensor '{}' is in the storage '{}', which is missing", name, tensor.storage),
          corrupt_hint);
    const Storage& storage = found->second;
    if (static_cast<std::uint64_t>(storage_bytes(tensor)) > storage.size)
      throw PickleError(fmt::format("storage '{}' has {} bytes, but tensor '{}' expects {}",
                                    tensor.storage, storage.size, name, storage_bytes(tensor)),
                        corrupt_hint);
    const auto options = torch::TensorOptions().dtype(tensor.type);
    if (std::ranges::find(tensor.sizes, 0) != tensor.sizes.end()) {  // its offset is not checked
      result[name] = torch::empty(tensor.sizes, options);
      continue;
    }
    const auto offset = tensor.offset * static_cast<std::int64_t>(torch::elementSize(tensor.type));
    result[name] = torch::from_blob(
        storage.bytes + offset, tensor.sizes, tensor.strides, [owner = storage.owner](void*) {},
        options);
  }
  return result;
}

/// Returns the name of the folder that contains the pickle, with a slash. torch.save names it after
/// the file.
std::string find_folder(const std::map<std::string, ZipEntry>& entries) {
  std::string found;
  for (const auto& [name, entry] : entries) {
    if (!name.ends_with("/data.pkl") || name.find('/') != name.rfind('/')) continue;
    if (!found.empty()) throw MalformedArchive("it has two files data.pkl");
    found = name.substr(0, name.find('/') + 1);
  }
  if (found.empty()) throw MalformedArchive("it has no file data.pkl");
  return found;
}

StateDict read_zip_container(const std::shared_ptr<MappedFile>& file, std::string_view bytes) {
  const auto entries = list_zip(bytes);
  const auto folder = find_folder(entries);
  const auto order = entries.find(folder + "byteorder");
  if (order != entries.end() && stored_bytes(bytes, order->second) != "little")
    throw MalformedArchive("its numbers are not little-endian");
  const auto pickle_bytes = stored_bytes(bytes, entries.at(folder + "data.pkl"));
  std::size_t at = 0;
  const auto pickle = read_pickle(pickle_bytes, at, state_dict_names());
  const auto tensors = find_tensors(*pickle.root);
  Storages storages;
  for (const auto& [name, tensor] : tensors) {
    if (storages.contains(tensor.storage)) continue;
    const auto entry = entries.find(fmt::format("{}data/{}", folder, tensor.storage));
    if (entry != entries.end())
      storages.emplace(tensor.storage, make_storage(file, stored_bytes(bytes, entry->second)));
  }
  return make_tensors(tensors, storages);
}

/// Reads the older container from its beginning to its end.
class LegacyReader {
 public:
  LegacyReader(std::shared_ptr<MappedFile> file, std::string_view bytes)
      : file_(std::move(file)), bytes_(bytes) {}

  StateDict read() {
    check_header();
    const auto pickle = next_pickle();
    const auto tensors = find_tensors(*pickle.root);
    std::map<std::string_view, const PickledTensor*> by_storage;
    for (const auto& [name, tensor] : tensors) {
      const auto [found, added] = by_storage.emplace(tensor.storage, &tensor);
      if (tensor.type != found->second->type || tensor.storage_size != found->second->storage_size)
        malformed(fmt::format("storage '{}' has two types or sizes", tensor.storage));
    }
    const auto keys = next_pickle();
    if (keys.root->kind != PickleValue::Kind::list) malformed("it has no list of storages");
    Storages storages;
    for (const auto* key : keys.root->items) {
      const auto used = by_storage.find(key->text);
      if (used == by_storage.end())
        malformed(fmt::format("storage '{}' belongs to no tensor", key->text));
      if (!storages.emplace(key->text, read_storage(*used->second)).second)
        malformed(fmt::format("storage '{}' is there twice", key->text));
    }
    return make_tensors(tensors, storages);
  }

 private:
  [[noreturn]] void malformed(const std::string& what) const {
    throw PickleError(fmt::format("byte {}: {}", at_, what), corrupt_hint);
  }

  Pickle next_pickle() { return read_pickle(bytes_, at_, state_dict_names()); }

  void check_header() {
    // 0x1950A86A20F9469CFC6C, little-endian
    constexpr std::string_view magic("\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19", 10);
    constexpr std::int64_t version = 1001;
    if (next_pickle().root->text != magic) malformed("it does not begin as torch.save begins");
    if (next_pickle().root->integer != version) malformed("its version is not 1001");
    const auto system = next_pickle();
    for (const auto& [key, value] : system.root->entries) {
      if (key->text == "little_endian" && value->integer == 0)
        malformed("its numbers are not little-endian");
    }
  }

  Storage read_storage(const PickledTensor& tensor) {
    std::int64_t elements = 0;
    if (bytes_.size() - at_ < sizeof elements) malformed("the file ends before its storages");
    std::memcpy(&elements, bytes_.data() + at_, sizeof elements);
    if (elements != tensor.storage_size)
      malformed(fmt::format("storage '{}' has {} elements, but its tensors expect {}",
                            tensor.storage, elements, tensor.storage_size));
    at_ += sizeof elements;
    const auto size = static_cast<std::uint64_t>(storage_bytes(tensor));
    if (size > bytes_.size() - at_) malformed("the file ends within a storage");
    const auto bytes = bytes_.substr(at_, size);
    at_ += size;
    return make_storage(file_, bytes);
  }

  std::shared_ptr<MappedFile> file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

StateDict read_pytorch_file(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<MappedFile>(file);
  const std::string_view bytes(mapped->bytes(), mapped->size());
  try {
    return bytes.starts_with("PK") ? read_zip_container(mapped, bytes)
                                   : LegacyReader(mapped, bytes).read();
  } catch (const MalformedArchive& error) {
    throw ModelError(file.string(),
                     fmt::format("can't be read as a file of PyTorch: {}", error.what()),
                     corrupt_hint);
  } catch (const PickleError& error) {
    throw ModelError(file.string(),
                     fmt::format("can't be read as a file of PyTorch: {}", error.what()),
                     error.hint());
  }
}

}  // namespace tfm
