// Text that stays one line for every reader: programs differ in what ends a line beside LF.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// The text with a space in the place of each character that some reader takes for a line's end:
/// LF, VT, FF, CR, NEL (U+0085), U+2028 and U+2029.
std::string replace_line_breaks(std::string_view text);

/// JSON in one line, with those of them that may stand in JSON as they are (U+0085, U+2028, U+2029)
/// as escapes, which mean the same.
std::string escape_line_breaks(std::string_view json);

}  // namespace tfm
