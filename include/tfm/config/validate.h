// Rules that need more than one field: heads that divide hidden_size, joint vocabularies for fully
// tied embeddings, files that belong together.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// Every violated rule, as "key, key: what is wrong; what to do"; empty where the config is sound.
/// Files are not opened.
std::vector<std::string> violations(const Config& config);

}  // namespace tfm
