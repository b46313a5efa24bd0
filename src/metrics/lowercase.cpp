#include "lowercase.h"

#include <algorithm>
#include <vector>

#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr char32_t capital_sigma = 0x3A3;
constexpr char32_t capital_i_with_dot = 0x130;

/// Returns whether the first character of the range that is not case-ignorable is a cased letter.
template <class Iterator>
bool meets_cased(Iterator begin, Iterator end) {
  const auto found =
      std::find_if_not(begin, end, [](const CodePoint& c) { return is_case_ignorable(c.value); });
  return found != end && is_cased(found->value);
}

/// Returns whether the sigma at `index` ends a word (Final_Sigma in Unicode's SpecialCasing.txt).
bool is_final_sigma(const std::vector<CodePoint>& text, std::size_t index) {
  const auto sigma = text.begin() + static_cast<std::ptrdiff_t>(index);
  return meets_cased(std::make_reverse_iterator(sigma), text.rend()) &&
         !meets_cased(sigma + 1, text.end());
}

}  // namespace

std::string lowercase(std::string_view text) {
  const auto characters = code_points(text);
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto [c, bytes] = characters[i];
    const char32_t letter = lowercase_letter(c);
    if (c == capital_sigma) {
      result += is_final_sigma(characters, i) ? "ς" : "σ";
    } else if (c == capital_i_with_dot) {
      result += "i\u0307";
    } else if (letter != c) {
      result += encode_utf8(letter);
    } else {
      result += bytes;
    }
  }
  return result;
}

}  // namespace tfm
