// Converts the attention of sentences to the JSON document that attention_json() returns and that
// the HTML page contains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

/// Returns the document with numbers rounded to `decimals`; nullopt keeps every float as it is.
std::string attention_document(const std::vector<SentenceAttention>& sentences,
                               std::optional<int> decimals);

}  // namespace tfm
