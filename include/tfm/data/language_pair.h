// The languages of a model: those that its config names, or those that the names of its training
// files suggest.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tfm/config/config.h"

namespace tfm {

/// The codes of a source and a target language, such as "de" and "en". Each is empty if unknown.
struct LanguagePair {
  std::string source;
  std::string target;

  bool operator==(const LanguagePair&) const = default;
};

/// The tags of a sentence, which are pieces of the vocabularies; each is empty without one.
struct SentenceTags {
  std::string source;    ///< of the source: "<2fr>", or the source language of an imported model
  std::string target{};  ///< what the decoder of an imported model reads: the target language

  bool operator==(const SentenceTags&) const = default;
};

/// Returns "de" for "train.de.gz". Returns an empty string if the ending does not consist of two or
/// three lower-case letters, or is "txt".
std::string language_in_name(const std::filesystem::path& file);

/// Returns data.source_language and data.target_language. If one is empty, returns the ending of
/// the training file instead, unless both files have the same ending.
LanguagePair resolve_languages(const DataConfig& config);

/// Returns resolve_languages(config). Throws ConfigError, which names the file that the config was
/// read from, if one of the two languages is unknown.
LanguagePair require_languages(const DataConfig& config, const std::filesystem::path& file);

/// Returns "de to en", or an empty string if one of the two languages is unknown.
std::string language_pair(const DataConfig& config);

/// Returns the English name of a language, such as "German" for "de", or the code itself if the
/// name is not known.
std::string language_name(std::string_view code);

}  // namespace tfm
