// Rules that need more than one field: heads that divide hidden_size, joint vocabularies for fully
// tied embeddings, files that belong together.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// A broken rule.
struct Violation {
  std::vector<std::string> keys;  ///< the fields that do not fit: "model.hidden_size"
  std::string what;               ///< what is wrong, as a part of a sentence
  std::string hint;               ///< what to do, as a part of a sentence
};

/// "key, key: what; hint"
std::string to_text(const Violation& violation);

/// Every broken rule; empty if the config is sound. Files are not opened.
std::vector<Violation> violations(const Config& config);

}  // namespace tfm
