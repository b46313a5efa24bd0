// Selects the best one-token continuations of hypotheses: the inner loop of greedy and beam search.
// Blocks of tokens that hold nothing good enough for the list of the best candidates so far are
// skipped (next_tokens.h). Forbidden tokens, tokens banned for a row (logits_processor.h) and
// impossible tokens (-inf) are not candidates, unless a row forces the token.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/search/hypothesis.h"
#include "tfm/search/next_tokens.h"

namespace tfm {

/// A hypothesis that can be continued.
struct CandidateRow {
  double log_prob = 0;                   ///< log-probability of the hypothesis, including penalties
  NextTokens next;                       ///< the model's scores of the next token
  std::span<const std::int32_t> banned;  ///< tokens that may not follow
  /// the tokens that have penalties, at most one entry each, with log-probabilities that include
  /// them
  std::span<const ScoredToken> penalized;
  /// the only token that may follow, even if it is banned or forbidden; -1 if no token is forced
  std::int32_t forced_token = -1;

  /// Returns the log-probability of the next token, including penalties.
  float next_log_prob(std::int32_t token) const;
};

struct Continuation {
  std::int32_t row = 0;  ///< index of the continued CandidateRow
  std::int32_t token = 0;
  double log_prob = 0;  ///< log-probability of the hypothesis extended by the token
};

/// Returns true if a comes before b: more probable, or as probable with a lower row, then with a
/// lower token.
bool comes_before(const Continuation& a, const Continuation& b);

class CandidateSelector {
 public:
  /// The tokens in `forbidden` are not candidates, except CandidateRow::forced_token. Ids outside
  /// the vocabulary are ignored.
  CandidateSelector(std::int64_t vocab_size, std::span<const std::int32_t> forbidden);

  /// Returns the `count` most probable candidates, or all if there are fewer, sorted by descending
  /// log_prob. Ties go to the lower row, then to the lower token. Throws NonFiniteError if a
  /// log-probability is NaN or +inf; in a row with a forced token, only that token is checked.
  std::vector<Continuation> top_k(std::span<const CandidateRow> rows, std::size_t count) const;

  /// Returns every candidate of a row with its log-probability, in token order. Throws
  /// NonFiniteError like top_k.
  std::vector<ScoredToken> all_candidates(const CandidateRow& row) const;

 private:
  std::vector<Continuation> top_k_above(float floor, std::span<const CandidateRow> rows,
                                        std::size_t count) const;
  bool allowed(const CandidateRow& row, std::int32_t token) const;

  std::vector<char> forbidden_;  // [V], 1 for forbidden tokens
};

}  // namespace tfm
