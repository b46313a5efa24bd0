#include "next_word_search.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tfm {
namespace {

/// Words that begin with different tokens may be the same ("▁h", "ouse"), and some tokens do not
/// begin a word, so that more tokens than words are needed.
constexpr std::int64_t inspected_tokens_per_word = 3;

/// Returns true if a word can begin with the token after a prefix of whole words.
bool begins_word(const Tokenizer& target, TokenId id, std::size_t prefix) {
  const auto& special = target.special();
  const bool is_special =
      id == special.pad || id == special.bos || id == special.eos || id == special.unk;
  return !is_special && (prefix == 0 || target.starts_word(id));
}

/// Returns the tokens that may follow the segment's prefix in the order of their probability.
std::vector<ScoredToken> next_tokens(const Segment& segment, const Hypothesis& best,
                                     const Tokenizer& target, std::int64_t count) {
  const auto position = segment.constraints.prefix.size();
  if (position >= best.alternatives.size()) return {};
  auto tokens = best.alternatives[position];
  if (position < best.tokens.size())  // otherwise, the hypothesis ends after the prefix
    tokens.push_back({best.tokens[position], best.token_log_probs[position]});
  std::erase_if(tokens, [&](const ScoredToken& token) {
    return !begins_word(target, token.token, position);
  });
  std::ranges::sort(tokens, more_probable);
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(count)));
  return tokens;
}

/// Returns the text of the word that begins at a position of the hypothesis.
std::string word_at(const Hypothesis& hypothesis, std::size_t position, const Tokenizer& target) {
  const auto begin = hypothesis.tokens.begin() + static_cast<std::ptrdiff_t>(position);
  const auto end = std::find_if(begin + 1, hypothesis.tokens.end(),
                                [&](TokenId id) { return target.starts_word(id); });
  return target.decode({begin, end});
}

/// Keeps the first of the hypotheses that have the same word at the position, and at most `count`.
std::vector<Hypothesis> keep_distinct(std::vector<Hypothesis> hypotheses, std::size_t position,
                                      const Tokenizer& target, std::int64_t count) {
  std::vector<Hypothesis> kept;
  std::set<std::string> words;
  for (auto& hypothesis : hypotheses) {
    if (std::ssize(kept) == count || hypothesis.tokens.size() <= position) continue;
    if (words.insert(word_at(hypothesis, position, target)).second)
      kept.push_back(std::move(hypothesis));
  }
  return kept;
}

}  // namespace

SearchResult search_next_words(const SegmentSearch& search, const std::vector<Segment>& segments,
                               const TranslationRequest& request, const Tokenizer& target) {
  auto first_request = request;
  first_request.alternatives =
      std::max(request.alternatives, inspected_tokens_per_word * request.next_words);
  auto best = search.search(segments, first_request);
  std::vector<Segment> continued;
  std::vector<std::size_t> origins;  // for each continued segment, its index in `segments`
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const auto& [token, log_prob] :
         next_tokens(segments[i], best[i].front(), target,
                     inspected_tokens_per_word * request.next_words)) {
      continued.push_back(segments[i]);
      continued.back().constraints.prefix.push_back(token);
      origins.push_back(i);
    }
  }
  auto found = search.search(continued, request);
  SearchResult results(segments.size());
  for (std::size_t i = 0; i < continued.size(); ++i)
    results[origins[i]].push_back(std::move(found[i].front()));
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto position = segments[i].constraints.prefix.size();
    results[i] = keep_distinct(std::move(results[i]), position, target, request.next_words);
    if (results[i].empty()) results[i].push_back(std::move(best[i].front()));
  }
  return results;
}

}  // namespace tfm
