#include "unicode_categories.h"

#include <algorithm>

#include "unicode_ranges.h"

namespace tfm {

bool is_in(std::span<const CodePointRange> ranges, char32_t c) {
  const auto range = std::ranges::lower_bound(ranges, c, {}, &CodePointRange::last);
  return range != ranges.end() && range->first <= c;
}

UnicodeCategory unicode_category(char32_t c) {
  if (is_in(number_ranges, c)) return UnicodeCategory::number;
  if (is_in(punctuation_ranges, c)) return UnicodeCategory::punctuation;
  if (is_in(symbol_ranges, c)) return UnicodeCategory::symbol;
  return UnicodeCategory::other;
}

SpacelessScript spaceless_script(char32_t c) {
  if (c < southeast_asian_ranges.front().first) return SpacelessScript::none;
  if (is_in(han_ranges, c)) return SpacelessScript::han;
  if (is_in(kana_ranges, c)) return SpacelessScript::kana;
  if (is_in(southeast_asian_ranges, c)) return SpacelessScript::southeast_asian;
  return SpacelessScript::none;
}

}  // namespace tfm
