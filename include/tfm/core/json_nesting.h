// The depth of a JSON text, measured before it is parsed: printing or copying a value takes stack
// for every level, and a text from elsewhere may have millions.
#pragma once

#include <cstddef>
#include <string_view>

namespace tfm {

/// Returns how many arrays and objects of a JSON text are open at the same time, at most. (The JSON
/// library's callbacks know the depth, too, but take quadratic time.)
std::size_t json_nesting(std::string_view text);

}  // namespace tfm
