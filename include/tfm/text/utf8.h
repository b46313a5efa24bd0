// UTF-8, as far as tfm needs it: is a line valid, what it is else read as, and its code points one
// by one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

/// Byte offset of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and
/// values over U+10FFFF included), or nothing.
std::optional<std::size_t> invalid_utf8(std::string_view text);

/// Reads the code point at `position` (< text.size()) and moves `position` past it. A byte that is
/// not well-formed reads as U+FFFD.
char32_t next_code_point(std::string_view text, std::size_t& position);

/// Valid UTF-8 from any bytes: each byte that does not belong becomes U+FFFD.
std::string repair_utf8(std::string_view text);

}  // namespace tfm
