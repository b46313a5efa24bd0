#include "tfm/data/language_pair.h"

#include <algorithm>
#include <cctype>

#include "tfm/core/decoded_file.h"

namespace tfm {
std::string language_in_name(const std::filesystem::path& file) {
  std::string ending = without_compression_ending(file).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const bool has_letters =
      std::ranges::all_of(ending, [](unsigned char letter) { return std::islower(letter) != 0; });
  const bool is_code = has_letters && (ending.size() == 2 || ending.size() == 3);
  return is_code && ending != "txt" ? ending : "";
}

std::string language_pair(const DataConfig& config) {
  const std::string source = language_in_name(config.train_source);
  const std::string target = language_in_name(config.train_target);
  return source.empty() || target.empty() || source == target ? "" : source + " to " + target;
}

}  // namespace tfm
