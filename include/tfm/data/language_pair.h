// Guesses the languages of a corpus from the names of its files.
#pragma once

#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Returns "de to en" for the training files train.de and train.en.gz. Returns an empty string if
/// the endings of the files do not look like the codes of two languages.
std::string language_pair(const DataConfig& config);

}  // namespace tfm
