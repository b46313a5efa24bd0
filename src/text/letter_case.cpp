#include "tfm/text/letter_case.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "tfm/text/characters.h"
#include "tfm/text/language_codes.h"
#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr char32_t capital_sigma = 0x3A3;
constexpr char32_t capital_i_with_dot = 0x130;
constexpr char32_t dotless_i = 0x131;

/// A character of a text, and its bytes as a view into the text.
struct Character {
  char32_t value;
  std::string_view bytes;
};

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> characters;
  characters.reserve(text.size());
  for (std::size_t end = 0; end < text.size();) {
    const std::size_t begin = end;
    const char32_t value = next_code_point(text, end);
    characters.push_back({value, text.substr(begin, end - begin)});
  }
  return characters;
}

/// Returns whether the first character of the range that is not case-ignorable is a cased letter.
template <class Iterator>
bool meets_cased(Iterator begin, Iterator end) {
  const auto found =
      std::find_if_not(begin, end, [](const Character& c) { return is_case_ignorable(c.value); });
  return found != end && is_cased(found->value);
}

/// Returns whether the sigma at `index` ends a word (Final_Sigma in Unicode's SpecialCasing.txt).
bool is_final_sigma(const std::vector<Character>& text, std::size_t index) {
  const auto sigma = text.begin() + static_cast<std::ptrdiff_t>(index);
  return meets_cased(std::make_reverse_iterator(sigma), text.rend()) &&
         !meets_cased(sigma + 1, text.end());
}

void append_lowercase(const std::vector<Character>& text, std::size_t index, DottedI rule,
                      std::string& result) {
  const auto [c, bytes] = text[index];
  const char32_t letter = lowercase_letter(c);
  if (c == capital_sigma) {
    result += is_final_sigma(text, index) ? "ς" : "σ";
  } else if (c == capital_i_with_dot) {
    result += rule == DottedI::turkic ? "i" : "i\u0307";
  } else if (c == U'I' && rule == DottedI::turkic) {
    result += encode_utf8(dotless_i);
  } else if (letter != c) {
    result += encode_utf8(letter);
  } else {
    result += bytes;
  }
}

/// Returns the upper case of a character; empty if the character is the same in upper case.
std::string changed_uppercase(char32_t c, DottedI rule) {
  if (c == U'i' && rule == DottedI::turkic) return encode_utf8(capital_i_with_dot);
  if (const auto letters = long_uppercase(c); !letters.empty()) return std::string(letters);
  const char32_t letter = uppercase_letter(c);
  return letter != c ? encode_utf8(letter) : "";
}

/// Returns a character before or at the first cased letter of a word in title case.
std::string title_letter(const Character& c, DottedI rule) {
  if (!is_cased(c.value) || !long_uppercase(c.value).empty()) return std::string(c.bytes);
  const auto changed = changed_uppercase(c.value, rule);
  return changed.empty() ? std::string(c.bytes) : changed;
}

}  // namespace

DottedI dotted_i(std::string_view language) {
  const auto code = base_language(language);
  return code == "tr" || code == "az" ? DottedI::turkic : DottedI::usual;
}

std::string lowercase(std::string_view text, DottedI rule) {
  const auto characters = characters_of(text);
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < characters.size(); ++i) append_lowercase(characters, i, rule, result);
  return result;
}

std::string uppercase(std::string_view text, DottedI rule) {
  std::string result;
  result.reserve(text.size());
  for (const auto& [c, bytes] : characters_of(text)) {
    const auto changed = changed_uppercase(c, rule);
    result += changed.empty() ? bytes : changed;
  }
  return result;
}

std::string titlecase(std::string_view text, DottedI rule) {
  const auto characters = characters_of(text);
  std::string result;
  result.reserve(text.size());
  bool is_in_word = false;  // behind the first cased letter or digit of a word
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i].value;
    if (is_space(c)) is_in_word = false;
    if (is_in_word) {
      append_lowercase(characters, i, rule, result);
    } else {
      result += title_letter(characters[i], rule);
      is_in_word = is_cased(c) || is_digit(c);
    }
  }
  return result;
}

}  // namespace tfm
