// Converts text to lower case as Python's str.lower() does, which sacreBLEU uses for --lowercase.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Replaces the upper-case and title-case letters of all scripts by their lower-case letters.
/// Malformed bytes stay as they are.
std::string lowercase(std::string_view text);

}  // namespace tfm
