#include "tfm/translate/local_vocabulary.h"

#include <algorithm>

namespace tfm {
namespace {

void sort_once(TokenIds& tokens) {
  std::ranges::sort(tokens);
  const auto doubles = std::ranges::unique(tokens);
  tokens.erase(doubles.begin(), doubles.end());
}

/// tokens: ascending, before and after.
void fill_up(TokenIds& tokens, std::int64_t vocab_size) {
  constexpr std::int64_t multiple = 512;
  const auto wanted =
      std::min((std::ssize(tokens) + multiple - 1) / multiple * multiple, vocab_size);
  const auto given = tokens.size();
  for (TokenId id = 0; std::ssize(tokens) < wanted; ++id) {
    if (!std::binary_search(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(given),
                            id))
      tokens.push_back(id);
  }
  std::ranges::inplace_merge(tokens, tokens.begin() + static_cast<std::ptrdiff_t>(given));
}

}  // namespace

LocalVocabulary::LocalVocabulary(TokenIds tokens, const SearchSpec& spec, std::int64_t vocab_size)
    : tokens_(std::move(tokens)) {
  const auto add = [this](const TokenIds& ids) {
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
  };
  add({spec.bos, spec.eos});
  if (spec.stop >= 0) add({spec.stop});
  for (const Constraints& wishes : spec.constraints) {
    add(wishes.prefix);
    for (const auto& phrase : wishes.forced) add(phrase);
  }
  sort_once(tokens_);
  fill_up(tokens_, vocab_size);
}

TokenId LocalVocabulary::place(TokenId token) const {
  const auto found = std::ranges::lower_bound(tokens_, token);
  return found != tokens_.end() && *found == token ? static_cast<TokenId>(found - tokens_.begin())
                                                   : -1;
}

SearchSpec LocalVocabulary::local(SearchSpec spec) const {
  const auto to_place = [this](TokenId& token) { token = place(token); };
  to_place(spec.bos);
  to_place(spec.eos);
  to_place(spec.stop);
  std::ranges::for_each(spec.forbidden, to_place);
  for (Constraints& wishes : spec.constraints) {
    std::ranges::for_each(wishes.prefix, to_place);
    for (auto& phrase : wishes.forced) std::ranges::for_each(phrase, to_place);
    for (auto& phrase : wishes.forbidden) std::ranges::for_each(phrase, to_place);
    std::erase_if(wishes.forbidden, [](const TokenIds& phrase) {
      return std::ranges::find(phrase, -1) != phrase.end();
    });
  }
  return spec;
}

SearchResult LocalVocabulary::global(SearchResult result) const {
  const auto to_token = [this](TokenId& place) {
    place = tokens_[static_cast<std::size_t>(place)];
  };
  for (auto& hypotheses : result) {
    for (Hypothesis& hypothesis : hypotheses) {
      std::ranges::for_each(hypothesis.tokens, to_token);
      for (auto& others : hypothesis.alternatives)
        std::ranges::for_each(others, to_token, &TokenChance::token);
    }
  }
  return result;
}

}  // namespace tfm
