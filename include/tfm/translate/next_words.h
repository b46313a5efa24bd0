// What it costs to find next words (TranslationRequest::next_words).
#pragma once

#include <cstdint>

namespace tfm {

/// The most searches per requested next word, besides the first one. Words that begin with
/// different tokens may be the same ("▁h", "ouse"), and some tokens do not begin a word, so that
/// more tokens than words are tried.
inline constexpr std::int64_t searches_per_next_word = 3;

}  // namespace tfm
