// Properties of code points from the Unicode character database: general category, script and case.
// scripts/make_unicode_categories.py writes the tables (src/text/*_ranges.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tfm {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

/// Returns whether one of the ranges, which are in ascending order, contains the code point.
bool is_in(std::span<const CodePointRange> ranges, char32_t c);

/// The general categories of Unicode that are distinguished: N (number), P (punctuation) and S
/// (symbol).
enum class UnicodeCategory { other, number, punctuation, symbol };

UnicodeCategory unicode_category(char32_t c);

/// The scripts that are distinguished. `kana` stands for Hiragana and Katakana. `other` stands for
/// all other scripts, and for characters that no single script has (digits, punctuation).
enum class Script : std::uint8_t {
  other,
  latin,
  greek,
  cyrillic,
  armenian,
  hebrew,
  arabic,
  devanagari,
  bengali,
  gurmukhi,
  gujarati,
  oriya,
  tamil,
  telugu,
  kannada,
  malayalam,
  sinhala,
  thai,
  lao,
  tibetan,
  myanmar,
  georgian,
  hangul,
  ethiopic,
  khmer,
  mongolian,
  han,
  kana,
};

Script script(char32_t c);

/// A group of scripts that are written without spaces between words.
enum class SpacelessScript { none, han, kana, southeast_asian };

/// Returns the group of the character's script: Han, kana (Hiragana and Katakana), or Southeast
/// Asian (Thai, Lao, Khmer and Myanmar). Returns `none` for all other scripts.
SpacelessScript spaceless_script(char32_t c);

/// Returns the lower-case letter of `c` if there is exactly one, otherwise `c` itself.
char32_t lowercase_letter(char32_t c);
/// Returns the upper-case letter of `c` if there is exactly one, otherwise `c` itself.
char32_t uppercase_letter(char32_t c);
/// Returns the upper case of `c` if it is several characters, otherwise an empty text.
std::string_view long_uppercase(char32_t c);
/// Returns true for the cased letters that are not case-ignorable.
bool is_cased(char32_t c);
/// Returns true for the code points with the property Case_Ignorable.
bool is_case_ignorable(char32_t c);

}  // namespace tfm
