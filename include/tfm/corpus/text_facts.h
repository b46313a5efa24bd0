// The numbers that rules of cleaning need to know about a text, counted in one pass. A word is a
// run of characters between white space; a Han or kana character is a word by itself.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tfm/text/unicode_categories.h"

namespace tfm {

inline constexpr std::size_t script_count = static_cast<std::size_t>(Script::kana) + 1;

struct TextFacts {
  bool valid_utf8 = true;
  std::int64_t characters = 0;  ///< without white space
  std::int64_t words = 0;
  std::int64_t longest_word = 0;  ///< in characters; Thai, Lao, Khmer and Burmese ones do not count
  std::int64_t longest_run = 0;   ///< the most equal characters in a row, digits excepted
  std::int64_t controls = 0;      ///< control characters, and characters of damaged text
  std::int64_t letters = 0;       ///< the sum of `scripts`
  std::array<std::int32_t, script_count> scripts{};  ///< letters of each Script, `other` excepted
};

TextFacts count_facts(std::string_view text);

/// Returns the words of the text, in order.
std::vector<std::string_view> find_words(std::string_view text);

}  // namespace tfm
