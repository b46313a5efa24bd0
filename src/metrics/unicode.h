// Decodes text for the metrics: code points, and words between Unicode white space. White space is
// what Python's str.split() splits at, because the scores must equal those of sacreBLEU, which uses
// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A character of a text. The bytes are a view into the text.
struct CodePoint {
  char32_t value;
  std::string_view bytes;
};

/// Decodes the code point at `position`. Never fails, because a model may emit any bytes and they
/// must still be scored. A malformed byte is decoded as a surrogate, which valid text never
/// contains, so it equals only itself.
CodePoint decode_code_point(std::string_view text, std::size_t position);

/// Returns the characters of a text.
std::vector<CodePoint> code_points(std::string_view text);

/// True for the 29 code points with Unicode's White_Space property or (U+001C..U+001F) a
/// separator's bidirectional class. U+200B and U+FEFF do not count.
bool is_unicode_space(char32_t c);

/// Returns the words of a UTF-8 line in order, as views into `line`.
std::vector<std::string_view> split_at_unicode_space(std::string_view line);

/// Returns the words of a line, joined by single spaces.
std::string join_words(std::string_view line);

/// Returns the code points of a UTF-8 line without its white space. A malformed byte is kept as a
/// separate symbol.
std::u32string code_points_without_spaces(std::string_view line);

}  // namespace tfm
