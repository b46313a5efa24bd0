// The ways to continue hypotheses by one token, best first: the inner loop that both searches
// share. It reads every log-probability of every row once, so it decides for whole blocks at a time
// that nothing in them can reach the list. Forbidden tokens, those banned for a row and impossible
// ones (-inf) are never candidates. logits_processor.h says what is banned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/search/hypothesis.h"

namespace tfm {

/// A hypothesis that could be continued.
struct CandidateRow {
  double log_prob = 0;  ///< of its tokens, penalties included
  /// log-probabilities of the next token [V], penalties included
  std::span<const float> next;
  std::span<const std::int32_t> banned;  ///< tokens that may not follow
  /// the one token that follows, whatever is banned or forbidden; -1: any
  std::int32_t only = -1;
};

struct Continuation {
  std::int32_t row = 0;  ///< index among the rows given
  std::int32_t token = 0;
  double log_prob = 0;  ///< of the row and the token together
};

class CandidateSelector {
 public:
  /// forbidden: never a candidate; what is no token of the vocabulary is ignored.
  CandidateSelector(std::int64_t vocab_size, std::span<const std::int32_t> forbidden);

  /// The `count` likeliest candidates (fewer where there are no more), by falling log_prob; ties:
  /// the lower row, then the lower token. Throws ModelError where a log-probability is NaN or +inf.
  std::vector<Continuation> best(std::span<const CandidateRow> rows, std::size_t count) const;

  /// Every candidate of a row with its log-probability, in the order of tokens. Throws as best
  /// does.
  std::vector<ScoredToken> all(const CandidateRow& row) const;

 private:
  bool allowed(const CandidateRow& row, std::size_t token) const;

  std::vector<char> forbidden_;  // by token
};

}  // namespace tfm
