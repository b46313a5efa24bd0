#include "next_word_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "tfm/translate/next_words.h"

namespace tfm {
namespace {

/// Returns true if a word can begin with the token after a prefix of whole words.
bool begins_word(const Tokenizer& target, TokenId id, std::size_t prefix) {
  const auto& special = target.special();
  const bool is_special =
      id == special.pad || id == special.bos || id == special.eos || id == special.unk;
  return !is_special && (prefix == 0 || target.starts_word(id));
}

/// Returns the tokens that may follow the segment's prefix in the order of their probability.
std::vector<ScoredToken> next_tokens(const SegmentSearch& search, const Segment& segment,
                                     const Hypothesis& best, const Tokenizer& target) {
  const auto position = segment.constraints.prefix.size();
  if (position >= best.alternatives.size()) return {};
  auto tokens = best.alternatives[position];
  if (position < best.tokens.size())  // otherwise, the hypothesis ends after the prefix
    tokens.push_back({best.tokens[position], best.token_log_probs[position]});
  const auto banned = search.banned_after_prefix(segment);
  std::erase_if(tokens, [&](const ScoredToken& token) {
    return !begins_word(target, token.token, position) ||
           std::ranges::find(banned, token.token) != banned.end();
  });
  std::ranges::sort(tokens, more_probable);
  return tokens;
}

/// A hypothesis with the word that begins after its prefix.
struct NextWord {
  Hypothesis hypothesis;
  std::string word;
  double log_prob = 0;  // the sum over the word's tokens
};

/// Returns the hypothesis with the word that begins at a position before its end.
NextWord with_word(Hypothesis hypothesis, std::size_t position, const Tokenizer& target) {
  const auto& tokens = hypothesis.tokens;
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(position);
  const auto end =
      std::find_if(begin + 1, tokens.end(), [&](TokenId id) { return target.starts_word(id); });
  const auto first = hypothesis.token_log_probs.begin() + static_cast<std::ptrdiff_t>(position);
  const double log_prob = std::accumulate(first, first + (end - begin), 0.0);
  auto word = target.decode({begin, end});
  return {std::move(hypothesis), std::move(word), log_prob};
}

/// Returns up to `count` of the hypotheses, which differ in the word at the position, in the order
/// of the word's probability. Of the ways to write a word in tokens, the most probable is kept.
std::vector<Hypothesis> select_words(std::vector<Hypothesis> hypotheses, std::size_t position,
                                     const Tokenizer& target, std::int64_t count) {
  std::vector<NextWord> all;
  for (auto& hypothesis : hypotheses) {
    if (hypothesis.tokens.size() > position)
      all.push_back(with_word(std::move(hypothesis), position, target));
  }
  std::ranges::stable_sort(all, std::greater<>(), &NextWord::log_prob);
  std::vector<Hypothesis> kept;
  std::set<std::string> words;
  for (auto& [hypothesis, word, log_prob] : all) {
    if (std::ssize(kept) < count && words.insert(word).second)
      kept.push_back(std::move(hypothesis));
  }
  return kept;
}

/// Returns the request with its on_batch receiving shares from `begin` to `end` instead of 0 to 1.
TranslationRequest with_shares(TranslationRequest request, double begin, double end) {
  if (request.on_batch) {
    request.on_batch = [on_batch = std::move(request.on_batch), begin, end](double share) {
      on_batch(share < 1 ? std::lerp(begin, end, share) : end);
    };
  }
  return request;
}

}  // namespace

SearchResult search_next_words(const SegmentSearch& search, const std::vector<Segment>& segments,
                               const TranslationRequest& request, const Tokenizer& target) {
  const auto tokens_per_segment = searches_per_next_word * request.next_words;
  const double first_share = 1.0 / static_cast<double>(1 + tokens_per_segment);
  auto first_request = with_shares(request, 0, first_share);
  first_request.alternatives = std::max(request.alternatives, tokens_per_segment);
  auto best = search.search(segments, first_request);
  std::vector<Segment> continued;
  std::vector<std::size_t> origins;  // for each continued segment, its index in `segments`
  for (std::size_t i = 0; i < segments.size(); ++i) {
    auto tokens = next_tokens(search, segments[i], best[i].front(), target);
    if (std::ssize(tokens) > tokens_per_segment)
      tokens.resize(static_cast<std::size_t>(tokens_per_segment));
    for (const auto& [token, log_prob] : tokens) {
      continued.push_back(segments[i]);
      continued.back().constraints.prefix.push_back(token);
      origins.push_back(i);
    }
  }
  auto found = search.search(continued, with_shares(request, first_share, 1));
  SearchResult results(segments.size());
  for (std::size_t i = 0; i < continued.size(); ++i)
    results[origins[i]].push_back(std::move(found[i].front()));
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto position = segments[i].constraints.prefix.size();
    results[i] = select_words(std::move(results[i]), position, target, request.next_words);
    if (results[i].empty()) results[i].push_back(std::move(best[i].front()));
  }
  return results;
}

}  // namespace tfm
