// Words whose full stop does not end a sentence.
#pragma once

#include <string_view>

namespace tfm {

/// word: what stands before the full stop, without it ("Dr", "z", "e.g"); before_digit: whether a
/// digit follows.
bool is_abbreviation(std::string_view word, bool before_digit);

}  // namespace tfm
