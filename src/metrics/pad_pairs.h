// The step that the tokenizers 13a, zh and intl share: inserting blanks around pairs of
// neighbouring characters.
#pragma once

#include <cstddef>

namespace tfm {

/// Selects pairs of neighbours that fulfil `first` and `second`, and where blanks are inserted
/// around them.
template <class Symbol>
struct PairRule {
  bool (*first)(const Symbol&);
  bool (*second)(const Symbol&);
  bool before;
  bool between;
  bool after;
};

/// Returns the text with the blanks of the rule. A pair consumes both symbols, as a regular
/// expression would: in "..5", the second period is not also the first symbol of a pair.
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
