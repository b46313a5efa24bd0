// Replaces or escapes line breaks, so that a text stays on one line in every program. Programs
// differ in the characters besides LF that they treat as line ends.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Replaces each character that some program treats as a line end, and each other control character
/// except tab, by the replacement. Line ends are LF, VT, FF, CR, U+001C to U+001E, NEL (U+0085),
/// U+2028 and U+2029.
std::string replace_line_breaks(std::string_view text, char replacement = ' ');

/// Replaces the characters that replace_line_breaks replaces, and tabs, by spaces.
std::string replace_line_breaks_and_tabs(std::string_view text);

/// Escapes the line ends and control characters that JSON allows unescaped (DEL, U+0080 to U+009F,
/// U+2028, U+2029), which does not change the meaning of the JSON text. The text must not contain
/// other control characters.
std::string escape_line_breaks(std::string_view json);

}  // namespace tfm
