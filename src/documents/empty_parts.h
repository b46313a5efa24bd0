// Parts of a text, such as a link or bold words, whose words have no counterpart in the
// translation.
#pragma once

#include <functional>
#include <vector>

#include "inline_text.h"

namespace tfm {

/// Removes the parts that have become empty, or gives them a word, as `if_empty` says for the
/// number of a part. White space on both sides of a removed part becomes one.
std::vector<InlineToken> settle_empty_parts(
    std::vector<InlineToken> tokens, const std::function<EmptyPart(std::size_t number)>& if_empty);

}  // namespace tfm
