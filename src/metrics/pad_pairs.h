// Inserts blanks around pairs of neighbouring characters, which the tokenizers 13a, zh and intl
// have in common.
#pragma once

#include <cstddef>

namespace tfm {

/// A rule that inserts blanks before, between or after two neighbouring symbols if they satisfy
/// `first` and `second`.
template <class Symbol>
struct PairRule {
  bool (*first)(const Symbol&);
  bool (*second)(const Symbol&);
  bool before;
  bool between;
  bool after;
};

/// Returns the text with the blanks that the rule inserts. A pair consumes both symbols, as in a
/// regular expression: if the two periods of "..5" are a pair, the second period and the 5 are not.
template <class Text, class Symbol = Text::value_type>
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
