// Validates, decodes and repairs UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

/// Returns the byte offset of the first byte that is not well-formed UTF-8, or nullopt if the text
/// is valid. Overlong forms, surrogates and values above U+10FFFF are not well-formed.
std::optional<std::size_t> invalid_utf8(std::string_view text);

/// Does the same as next_code_point, which calls this function only if the byte is not ASCII.
char32_t next_encoded_code_point(std::string_view text, std::size_t& position);

/// Decodes the code point at `position` (< text.size()) and moves `position` past it. A malformed
/// byte is decoded as U+FFFD.
inline char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte >= 0x80) return next_encoded_code_point(text, position);
  ++position;
  return byte;
}

/// Returns the number of code points of valid UTF-8.
std::size_t count_code_points(std::string_view text);

/// Returns the UTF-8 bytes of a code point, which must not be a surrogate or above U+10FFFF.
std::string encode_utf8(char32_t code_point);

/// Returns valid UTF-8: the text with each malformed byte replaced by U+FFFD.
std::string repair_utf8(std::string_view text);

}  // namespace tfm
