#include "tfm/data/language_pair.h"

#include <algorithm>
#include <cctype>

#include "tfm/core/decoded_file.h"
#include "tfm/core/error.h"

namespace tfm {

std::string language_in_name(const std::filesystem::path& file) {
  std::string ending = without_compression_ending(file).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const bool has_letters =
      std::ranges::all_of(ending, [](unsigned char letter) { return std::islower(letter) != 0; });
  const bool is_code = has_letters && (ending.size() == 2 || ending.size() == 3);
  return is_code && ending != "txt" ? ending : "";
}

LanguagePair resolve_languages(const DataConfig& config) {
  LanguagePair named{language_in_name(config.train_source), language_in_name(config.train_target)};
  if (named.source == named.target) named = {};
  if (!config.source_language.empty()) named.source = config.source_language;
  if (!config.target_language.empty()) named.target = config.target_language;
  return named;
}

LanguagePair require_languages(const DataConfig& config, const std::filesystem::path& file) {
  auto languages = resolve_languages(config);
  if (languages.source.empty())
    throw ConfigError(file.string(), "data.source_language is not set",
                      "Set it to the code of the model's source language, such as de.");
  if (languages.target.empty())
    throw ConfigError(file.string(), "data.target_language is not set",
                      "Set it to the code of the model's target language, such as en.");
  return languages;
}

std::string language_pair(const DataConfig& config) {
  const auto [source, target] = resolve_languages(config);
  return source.empty() || target.empty() ? "" : source + " to " + target;
}

}  // namespace tfm
