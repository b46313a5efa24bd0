// White space as tfm's word-level text knows it: the six ASCII characters, so that a no-break or
// ideographic space stays inside its word.
#pragma once

#include <string_view>
#include <vector>

namespace tfm {

constexpr std::string_view whitespace = " \t\n\v\f\r";

/// The words between white space; views into text.
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace tfm
