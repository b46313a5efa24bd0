// Text as the metrics see it: code points, and words between Unicode whitespace. Whitespace is the
// set that Python's str.split() splits at, because sacreBLEU, whose numbers these metrics must
// equal, is written on top of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// True for the 29 code points with Unicode's White_Space property or (U+001C..U+001F) a
/// separator's bidirectional class. U+200B and U+FEFF are none.
bool is_unicode_space(char32_t c);

/// The words of a UTF-8 line, in order; views into `line`.
std::vector<std::string_view> split_at_unicode_space(std::string_view line);

/// The code points of a UTF-8 line without its whitespace. A byte that belongs to no UTF-8 sequence
/// stays, as a symbol of its own.
std::u32string code_points_without_spaces(std::string_view line);

}  // namespace tfm
