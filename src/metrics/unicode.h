// Decodes text for the metrics: code points, and words between Unicode white space. White space is
// what Python's str.split() splits at, because the scores must equal those of sacreBLEU, which uses
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// True for the 29 code points with Unicode's White_Space property or (U+001C..U+001F) a
/// separator's bidirectional class. U+200B and U+FEFF do not count.
bool is_unicode_space(char32_t c);

/// Returns the words of a UTF-8 line in order, as views into `line`.
std::vector<std::string_view> split_at_unicode_space(std::string_view line);

/// Returns the code points of a UTF-8 line without its white space. A malformed byte is kept as a
/// separate symbol.
std::u32string code_points_without_spaces(std::string_view line);

}  // namespace tfm
