// Applies the user's constraints (prefix, forbidden phrases, minimum length, repetition) to the
// scores of the next token. All searches use LogitsProcessor. The model's scores are not copied:
// bans and penalties are lists of the tokens that they change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/candidates.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"

namespace tfm {

/// A CandidateRow and the vectors that its spans refer to. Moving a ProcessedRow is safe, because
/// moved vectors keep their storage.
struct ProcessedRow {
  std::vector<std::int32_t> banned;
  std::vector<ScoredToken> penalized;
  CandidateRow candidate;

  ProcessedRow() = default;
  ProcessedRow(ProcessedRow&&) = default;
  ProcessedRow& operator=(ProcessedRow&&) = default;

  /// Adds `amount` to the token's log-probability.
  void adjust(std::int32_t token, double amount);
  /// Forbids the token as the next token of this hypothesis.
  void ban(std::int32_t token);
};

class LogitsProcessor {
 public:
  /// Keeps references: both arguments must outlive the processor.
  LogitsProcessor(const SearchRequest& request, const DecodingConfig& config)
      : request_(request), config_(config) {}

  /// Applies the constraints to `next`, the tokens that may follow the hypothesis.
  ProcessedRow apply(std::size_t sentence, const Hypothesis& hypothesis,
                     const NextTokens& next) const;

  /// Appends the token to the hypothesis; if it is eos or the stop token, ends the hypothesis and
  /// computes its score. `next` is the same as in apply.
  void extend(Hypothesis& hypothesis, std::int32_t token, const NextTokens& next) const;

 private:
  const SearchRequest& request_;
  const DecodingConfig& config_;
};

/// Returns the `count` most probable tokens other than `chosen`, best first; ties go to the lower
/// token.
std::vector<ScoredToken> top_alternatives(const NextTokens& next, std::int32_t chosen,
                                          std::int64_t count);

}  // namespace tfm
