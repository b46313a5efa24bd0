// The n-grams of each language of a model's training text (text/letter_ngrams.h), by which the
// service that translates with the model identifies languages. They are counted when a run begins,
// and are in the model folder, in languages.json.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tfm/config/config.h"
#include "tfm/text/letter_ngrams.h"

namespace tfm {

inline constexpr const char* languages_file = "languages.json";

using LanguageCounts = std::map<std::string, LetterNgramCounts>;  // by the code of the language

/// Counts the most frequent n-grams in the beginning of each training text. Texts of unknown
/// languages, and pipes, which can be read only once, are left out. Throws DataError if a text
/// can't be read.
LanguageCounts count_languages(const DataConfig& config);

/// Writes languages_file, or nothing if there are no counts. Throws ModelError if it cannot be
/// written.
void write_language_counts(const std::filesystem::path& folder, const LanguageCounts& languages);

/// Reads languages_file. Returns no languages if the folder has none. Throws ModelError if the file
/// is malformed.
LanguageCounts read_language_counts(const std::filesystem::path& folder);

}  // namespace tfm
