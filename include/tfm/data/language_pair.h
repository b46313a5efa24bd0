// The languages of a corpus, as the names of its files show them.
#pragma once

#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Returns "de to en" for the training files train.de and train.en.gz. Returns an empty text if the
/// endings of the files do not look like two languages.
std::string language_pair(const DataConfig& config);

}  // namespace tfm
