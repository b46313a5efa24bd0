#include "huggingface_weight_files.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "pytorch_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Throws ModelError if the file is what Git LFS leaves in the place of one that was not fetched.
void require_content(const std::filesystem::path& file) {
  constexpr std::string_view pointer = "version https://git-lfs";
  std::string begin(pointer.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), std::ssize(begin));
  if (begin == pointer)
    throw ModelError(file.string(), "is a pointer of Git LFS, not the file itself",
                     "Fetch the file with: git lfs pull");
}

StateDict read_weights_file(const std::filesystem::path& file) {
  require_content(file);
  return file.extension() == ".safetensors" ? read_safetensors(file).tensors
                                            : read_pytorch_file(file);
}

/// Returns the names of the files in an index. Each must be in the folder of the index.
std::set<std::string> read_index(const std::filesystem::path& index) {
  const auto document =
      nlohmann::json::parse(read_file(index), nullptr, /*allow_exceptions=*/false);
  std::set<std::string> files;
  try {
    const auto& map = document.at("weight_map").get_ref<const nlohmann::json::object_t&>();
    for (const auto& [tensor, file] : map) files.insert(file.get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw ModelError(index.string(), "is not an index of weights",
                     "It may be corrupt. Use another copy.");
  }
  for (const auto& file : files) {
    if (std::filesystem::path(file).filename() != file || file.empty() || file.front() == '.')
      throw ModelError(index.string(), fmt::format("names a file in another folder: {}", file),
                       "An index may only name files in its own folder. Use another copy.");
  }
  return files;
}

StateDict read_files_of_index(const std::filesystem::path& index) {
  StateDict all;
  for (const auto& name : read_index(index)) {
    const auto file = index.parent_path() / name;
    for (auto& [tensor, value] : read_weights_file(file)) {
      if (!all.emplace(tensor, value).second)
        throw ModelError(file.string(),
                         fmt::format("holds tensor '{}', which another file holds too", tensor),
                         "Use another copy of the model.");
    }
  }
  return all;
}

}  // namespace

ImportedWeights read_huggingface_weights(const std::filesystem::path& folder) {
  for (const char* name : {"model.safetensors", "pytorch_model.bin"}) {
    const auto file = folder / name;
    if (std::filesystem::exists(file)) return {read_weights_file(file), file};
    const auto index = folder / fmt::format("{}.index.json", name);
    if (std::filesystem::exists(index)) return {read_files_of_index(index), index};
  }
  throw ModelError(
      folder.string(), "holds neither model.safetensors nor pytorch_model.bin",
      "Give the folder that save_pretrained wrote. If it was cloned with Git, fetch the "
      "weights with: git lfs pull");
}

}  // namespace tfm
