// Decodes text for the metrics into code points, and into words between Unicode white space. White
// space is what Python's str.split() splits at, because sacreBLEU uses that function and the scores
// must be equal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A character of a text, and its bytes as a view into the text.
struct CodePoint {
  char32_t value;
  std::string_view bytes;
};

/// Decodes the code point at `position`. Never fails, because a model may produce any bytes, and
/// its output must still be scored. A malformed byte is decoded as a surrogate, which valid text
/// never contains. It is therefore equal only to the same malformed byte.
CodePoint decode_code_point(std::string_view text, std::size_t position);

/// Returns the characters of a text.
std::vector<CodePoint> code_points(std::string_view text);

/// Returns true for the 25 code points with Unicode's White_Space property and for U+001C to
/// U+001F, which Python also treats as white space. U+200B and U+FEFF are not white space.
bool is_unicode_space(char32_t c);

/// Returns the words of a UTF-8 line in order, as views into the line.
std::vector<std::string_view> split_at_unicode_space(std::string_view line);

/// Returns the line without the white space at its end.
std::string_view without_trailing_space(std::string_view line);

/// Returns the words of a line between Unicode white space, joined by single spaces.
std::string join_words(std::string_view line);

/// Returns the code points of a UTF-8 line without its white space. A malformed byte is kept as a
/// separate symbol.
std::u32string code_points_without_spaces(std::string_view line);

}  // namespace tfm
