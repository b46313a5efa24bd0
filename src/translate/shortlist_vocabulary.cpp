#include "tfm/translate/shortlist_vocabulary.h"

#include <algorithm>

#include "sort_unique.h"

namespace tfm {
namespace {

/// Pads the ascending tokens with the lowest other ids, to a multiple of 512 but at most to the
/// whole vocabulary.
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

ShortlistVocabulary::ShortlistVocabulary(TokenIds tokens, std::span<const SearchRequest> requests,
                                         std::int64_t vocab_size)
    : tokens_(std::move(tokens)) {
  const auto add = [this](const TokenIds& ids) {
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
  };
  for (const auto& request : requests) {
    add({request.bos, request.eos});
    if (request.stop >= 0) add({request.stop});
    add(request.target_tags);
    for (const Constraints& constraints : request.constraints) {
      add(constraints.prefix);
      for (const auto& phrase : constraints.forced) add(phrase);
    }
  }
  sort_unique(tokens_);
  fill_up(tokens_, vocab_size);
}

TokenId ShortlistVocabulary::place(TokenId token) const {
  const auto found = std::ranges::lower_bound(tokens_, token);
  return found != tokens_.end() && *found == token ? static_cast<TokenId>(found - tokens_.begin())
                                                   : -1;
}

SearchRequest ShortlistVocabulary::to_shortlist(SearchRequest request) const {
  const auto to_place = [this](TokenId& token) { token = place(token); };
  to_place(request.bos);
  std::ranges::for_each(request.target_tags, to_place);
  to_place(request.eos);
  to_place(request.stop);
  std::ranges::for_each(request.forbidden, to_place);
  for (Constraints& constraints : request.constraints) {
    std::ranges::for_each(constraints.prefix, to_place);
    for (auto& phrase : constraints.forced) std::ranges::for_each(phrase, to_place);
    for (auto& phrase : constraints.forbidden) std::ranges::for_each(phrase, to_place);
    std::erase_if(constraints.forbidden, [](const TokenIds& phrase) {
      return std::ranges::find(phrase, -1) != phrase.end();
    });
  }
  return request;
}

SearchResult ShortlistVocabulary::to_full(SearchResult result) const {
  const auto to_token = [this](TokenId& place) {
    place = tokens_[static_cast<std::size_t>(place)];
  };
  for (auto& hypotheses : result) {
    for (Hypothesis& hypothesis : hypotheses) {
      std::ranges::for_each(hypothesis.tokens, to_token);
      for (auto& others : hypothesis.alternatives)
        std::ranges::for_each(others, to_token, &ScoredToken::token);
    }
  }
  return result;
}

}  // namespace tfm
