#include "lowercase.h"

#include <algorithm>
#include <vector>

#include "lowercase_ranges.h"
#include "tfm/text/utf8.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr char32_t capital_sigma = 0x3A3;
constexpr char32_t capital_i_with_dot = 0x130;

/// Returns the lower-case letter of `c` if there is exactly one, otherwise `c` itself.
char32_t lowercase_letter(char32_t c) {
  const auto range = std::ranges::lower_bound(lowercase_ranges, c, {}, &LowercaseRange::last);
  const bool is_upper =
      range != lowercase_ranges.end() && range->first <= c && (c - range->first) % range->step == 0;
  return is_upper ? static_cast<char32_t>(static_cast<std::int32_t>(c) + range->delta) : c;
}

/// Returns whether the first character of the range that is not case-ignorable is a cased letter.
template <class Iterator>
bool meets_cased(Iterator begin, Iterator end) {
  const auto found = std::find_if_not(
      begin, end, [](const CodePoint& c) { return is_in(case_ignorable_ranges, c.value); });
  return found != end && is_in(cased_ranges, found->value);
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
