// The attention of sentences as a JSON document: what attention_json writes, and what the HTML page
// carries and lets its reader save.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

/// decimals: numbers are rounded to them; nullopt keeps every float as it is.
std::string attention_document(const std::vector<SentenceAttention>& sentences,
                               std::optional<int> decimals);

}  // namespace tfm
