#include "tfm/data/language_pair.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace tfm {
namespace {

/// Returns "de" for "train.de.gz". Returns an empty string if the ending does not consist of two or
/// three lower-case letters, or is "txt".
std::string file_language(std::filesystem::path file) {
  if (file.extension() == ".gz") file.replace_extension();
  std::string ending = file.extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const bool has_letters =
      std::ranges::all_of(ending, [](unsigned char letter) { return std::islower(letter) != 0; });
  const bool is_code = has_letters && (ending.size() == 2 || ending.size() == 3);
  return is_code && ending != "txt" ? ending : "";
}

}  // namespace

std::string language_pair(const DataConfig& config) {
  const std::string source = file_language(config.train_source);
  const std::string target = file_language(config.train_target);
  return source.empty() || target.empty() || source == target ? "" : source + " to " + target;
}

}  // namespace tfm
