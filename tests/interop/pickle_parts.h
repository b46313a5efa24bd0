// Makes small pickles by hand, and files of PyTorch that contain them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "npz_file.h"

namespace tfm {

inline std::string pickled_int(std::int64_t value) {  // LONG1
  return "\x8A\x08" + bytes_of(std::vector{value});
}
inline std::string pickled_text(const std::string& text) {  // BINUNICODE
  return "X" + bytes_of(std::vector{static_cast<std::uint32_t>(text.size())}) + text;
}
inline std::string pickled_name(const std::string& module, const std::string& name) {
  return fmt::format("c{}\n{}\n", module, name);
}
inline std::string pickled_tuple(const std::string& items) { return "(" + items + "t"; }
inline std::string pickled_ints(const std::vector<std::int64_t>& values) {
  std::string items;
  for (const auto value : values) items += pickled_int(value);
  return pickled_tuple(items);
}

struct TensorParts {
  std::string type = "FloatStorage";
  std::string key = "0";
  std::int64_t storage_size = 6;
  std::int64_t offset = 0;
  std::vector<std::int64_t> sizes{2, 3};
  std::vector<std::int64_t> strides{3, 1};
};

/// Returns the call that rebuilds a tensor, without the end of a pickle.
inline std::string pickled_tensor(const TensorParts& parts = {}) {
  const auto id = pickled_tuple(pickled_text("storage") + pickled_name("torch", parts.type) +
                                pickled_text(parts.key) + pickled_text("cpu") +
                                pickled_int(parts.storage_size));
  return pickled_name("torch._utils", "_rebuild_tensor_v2") +
         pickled_tuple(id + "Q" + pickled_int(parts.offset) + pickled_ints(parts.sizes) +
                       pickled_ints(parts.strides) + "\x89N") +
         "R";
}

/// Returns the complete pickle of a dictionary.
inline std::string pickled_dictionary(
    const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string items;
  for (const auto& [name, value] : entries) items += pickled_text(name) + value;
  return "\x80\x02}(" + items + "u.";
}

using StorageParts = std::vector<std::pair<std::string, std::vector<float>>>;

/// Returns a file in the container since PyTorch 1.6. Its storages are not aligned.
inline std::string pytorch_zip(const std::string& pickle, const StorageParts& storages = {}) {
  ZipWriter zip;
  zip.add("model/data.pkl", pickle);
  for (const auto& [key, values] : storages) zip.add("model/data/" + key, bytes_of(values));
  return zip.bytes();
}

/// Returns a file in the container before PyTorch 1.6.
inline std::string pytorch_legacy(const std::string& pickle, const StorageParts& storages = {}) {
  const std::string magic("\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.", 13);
  std::string file = magic + pickled_int(1001) + "." + "}." + pickle + "](";
  for (const auto& [key, values] : storages) file += pickled_text(key);
  file += "e.";
  for (const auto& [key, values] : storages)
    file += bytes_of(std::vector{static_cast<std::int64_t>(values.size())}) + bytes_of(values);
  return file;
}

}  // namespace tfm
