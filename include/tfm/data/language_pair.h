// Guesses the languages of a corpus from the names of its files.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Returns "de" for "train.de.gz". Returns an empty string if the ending does not consist of two or
/// three lower-case letters, or is "txt".
std::string language_in_name(const std::filesystem::path& file);

/// Returns "de to en" for the training files train.de and train.en.gz. Returns an empty string if
/// the endings of the files do not look like the codes of two languages.
std::string language_pair(const DataConfig& config);

}  // namespace tfm
