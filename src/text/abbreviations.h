// Recognises words after which a full stop does not end a sentence.
#pragma once

#include <string_view>

namespace tfm {

/// Returns true if a full stop after `word` ("Dr", "z", "e.g") does not end a sentence.
/// `before_digit` is true if a digit follows after white space ("No. 5").
bool is_abbreviation(std::string_view word, bool before_digit);

}  // namespace tfm
