// The Unicode categories that the BLEU tokenizer `intl` distinguishes, and the scripts by which
// `auto` chooses a tokenizer (tables in unicode_ranges.h).
#pragma once

#include <span>

namespace tfm {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

/// Returns whether one of the ranges, which are in ascending order, contains the code point.
bool is_in(std::span<const CodePointRange> ranges, char32_t c);

/// The general categories of Unicode that a tokenizer needs: N (number), P (punctuation) and S
/// (symbol).
enum class UnicodeCategory { other, number, punctuation, symbol };

UnicodeCategory unicode_category(char32_t c);

/// A group of scripts that are written without spaces between words.
enum class SpacelessScript { none, han, kana, southeast_asian };

/// Returns the group of the character's script: Han, kana (Hiragana and Katakana), or Southeast
/// Asian (Thai, Lao, Khmer and Myanmar). Returns `none` for all other scripts.
SpacelessScript spaceless_script(char32_t c);

}  // namespace tfm
