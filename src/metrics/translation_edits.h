// The number of edits of TER (Snover et al. 2006). Words are numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm {

/// Returns the number of edits that turn the hypothesis into the reference: moves of blocks of
/// words, then insertions, deletions and replacements of words. The moves are found by tercom's
/// greedy search, so fewer edits may be possible. If the reference is empty, each word is an edit.
std::int64_t count_translation_edits(std::u32string hypothesis, std::u32string_view reference);

}  // namespace tfm
