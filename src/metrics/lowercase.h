// Lower case as in Python's str.lower(), which sacreBLEU's option --lowercase uses.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Replaces the upper-case and title-case letters of all scripts by their lower-case letters.
/// Malformed bytes stay as they are.
std::string lowercase(std::string_view text);

}  // namespace tfm
