// The step that the tokenizers 13a, zh and intl share: blanks around pairs of characters.
#pragma once

#include <cstddef>

namespace tfm {

/// Where blanks are inserted around two neighbours that fulfil `first` and `second`.
template <class Symbol>
struct PairRule {
  bool (*first)(const Symbol&);
  bool (*second)(const Symbol&);
  bool before;
  bool between;
  bool after;
};

/// Inserts the blanks. A pair consumes both symbols, as a regular expression would: in "..5" the
/// second period is not also the first of a pair.
template <class Text, class Symbol = typename Text::value_type>
Text pad_pairs(const Text& text, const PairRule<Symbol>& rule, const Symbol& blank) {
  Text result;
  result.reserve(2 * text.size());
  std::size_t i = 0;
  while (i < text.size()) {
    const bool is_pair = i + 1 < text.size() && rule.first(text[i]) && rule.second(text[i + 1]);
    if (!is_pair) {
      result.push_back(text[i++]);
      continue;
    }
    if (rule.before) result.push_back(blank);
    result.push_back(text[i]);
    if (rule.between) result.push_back(blank);
    result.push_back(text[i + 1]);
    if (rule.after) result.push_back(blank);
    i += 2;
  }
  return result;
}

}  // namespace tfm
