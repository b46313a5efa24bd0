// The ways to continue hypotheses by one token, best first: the inner loop that both searches share. It reads every log-probability of every row
// once, so it decides for whole blocks at a time that nothing in them can reach the list. Forbidden tokens, tokens that would repeat an n-gram and
// impossible ones (-inf) are never candidates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tfm {

/// A hypothesis that could be continued.
struct OpenRow {
  std::span<const std::int32_t> tokens;  ///< so far
  double log_prob = 0;                   ///< of these tokens
  std::span<const float> next;           ///< log-probabilities of the next token [V]
};

struct Continuation {
  std::int32_t row = 0;  ///< index among the rows given
  std::int32_t token = 0;
  float token_log_prob = 0;
  double log_prob = 0;  ///< of the row and the token together
};

class CandidateSelector {
 public:
  /// no_repeat_ngram_size: no n-gram of that many tokens occurs twice in a hypothesis; 0 allows all.
  CandidateSelector(std::int64_t vocab_size, std::span<const std::int32_t> forbidden, std::int64_t no_repeat_ngram_size);

  /// The `count` likeliest candidates (fewer where there are no more), by falling log_prob; ties: the lower row, then the lower token.
  /// Throws ModelError where a log-probability is NaN or +inf.
  std::vector<Continuation> best(std::span<const OpenRow> rows, std::size_t count) const;

 private:
  std::vector<char> forbidden_;  // by token
  std::int64_t no_repeat_ngram_size_;
};

}  // namespace tfm
