// Splits text into words at the six ASCII white-space characters only. Other spaces, such as the
// no-break space and the ideographic space, are part of a word.
#pragma once

#include <string_view>
#include <vector>

namespace tfm {

constexpr std::string_view whitespace = " \t\n\v\f\r";

/// Returns the words between white space, as views into the text.
std::vector<std::string_view> split_words(std::string_view text);

/// Returns the text without these characters at its ends, as a view into the text.
std::string_view trim(std::string_view text, std::string_view characters = whitespace);

}  // namespace tfm
