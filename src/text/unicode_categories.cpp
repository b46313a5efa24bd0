#include "tfm/text/unicode_categories.h"

#include <algorithm>

#include "lowercase_ranges.h"
#include "script_ranges.h"
#include "unicode_ranges.h"
#include "uppercase_ranges.h"

namespace tfm {
namespace {

/// Returns the range that contains the code point, or nullptr.
template <class Ranges>
auto find_range(const Ranges& ranges, char32_t c) {
  const auto range = std::ranges::partition_point(
      ranges, [c](const auto& candidate) { return candidate.last < c; });
  return range != ranges.end() && range->first <= c ? &*range : nullptr;
}

/// Returns the letter of the other case if the ranges have one, otherwise the character itself.
template <class Ranges>
char32_t other_case(const Ranges& ranges, char32_t c) {
  const auto* range = find_range(ranges, c);
  const bool is_changed = range != nullptr && (c - range->first) % range->step == 0;
  return is_changed ? static_cast<char32_t>(static_cast<std::int32_t>(c) + range->delta) : c;
}

}  // namespace

bool is_in(std::span<const CodePointRange> ranges, char32_t c) {
  return find_range(ranges, c) != nullptr;
}

UnicodeCategory unicode_category(char32_t c) {
  if (is_in(number_ranges, c)) return UnicodeCategory::number;
  if (is_in(punctuation_ranges, c)) return UnicodeCategory::punctuation;
  if (is_in(symbol_ranges, c)) return UnicodeCategory::symbol;
  return UnicodeCategory::other;
}

Script script(char32_t c) {
  const auto* range = find_range(script_ranges, c);
  return range != nullptr ? range->script : Script::other;
}

SpacelessScript spaceless_script(char32_t c) {
  switch (script(c)) {
    case Script::han:
      return SpacelessScript::han;
    case Script::kana:
      return SpacelessScript::kana;
    case Script::thai:
    case Script::lao:
    case Script::khmer:
    case Script::myanmar:
      return SpacelessScript::southeast_asian;
    default:
      return SpacelessScript::none;
  }
}

char32_t lowercase_letter(char32_t c) { return other_case(lowercase_ranges, c); }

char32_t uppercase_letter(char32_t c) { return other_case(uppercase_ranges, c); }

std::string_view long_uppercase(char32_t c) {
  const auto found = std::ranges::lower_bound(long_uppercases, c, {}, &LongUppercase::letter);
  return found != long_uppercases.end() && found->letter == c ? found->uppercase
                                                              : std::string_view();
}

bool is_cased(char32_t c) { return is_in(cased_ranges, c); }

bool is_case_ignorable(char32_t c) { return is_in(case_ignorable_ranges, c); }

}  // namespace tfm
