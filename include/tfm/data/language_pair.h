// The languages of a corpus, as the names of its files show them.
#pragma once

#include <string>

#include "tfm/config/config.h"

namespace tfm {

/// Returns "de to en" for the training files train.de and train.en.gz; an empty text if their
/// endings do not look like languages.
std::string language_pair(const DataConfig& config);

}  // namespace tfm
