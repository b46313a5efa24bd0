// What may follow a hypothesis and what it costs: the one place where searches meet the user's
// constraints (prefix, forbidden phrases, shortest length, repetition). A wish that is not made
// costs nothing: rows are then the model's own and nothing is banned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/candidates.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"

namespace tfm {

/// A row ready for a CandidateSelector, with what it points to. Movable: the vectors keep their
/// storage.
struct ProcessedRow {
  std::vector<std::int32_t> banned;
  std::vector<float> penalised;  ///< [V]; empty: open.next is the model's own row
  CandidateRow open;

  ProcessedRow() = default;
  ProcessedRow(ProcessedRow&&) = default;
  ProcessedRow& operator=(ProcessedRow&&) = default;

  /// Adds `amount` to the token's log-probability, in a copy of the model's row.
  void adjust(std::int32_t token, double amount);
  void ban(std::int32_t token);
};

class LogitsProcessor {
 public:
  /// Keeps references: both must outlive it.
  LogitsProcessor(const SearchRequest& spec, const DecodingConfig& config)
      : spec_(spec), config_(config) {}

  /// A sentence's hypothesis and the model's log-probabilities [V] of what follows it.
  ProcessedRow apply(std::size_t sentence, const Hypothesis& hypothesis,
                     std::span<const float> next) const;

  /// The hypothesis longer by a token, or ended by it, with its final score; next: as in apply.
  void take(Hypothesis& hypothesis, std::int32_t token, std::span<const float> next) const;

 private:
  const SearchRequest& spec_;
  const DecodingConfig& config_;
};

/// The `count` likeliest tokens but for `chosen`, best first, ties by the lower token.
std::vector<ScoredToken> top_alternatives(std::span<const float> next, std::int32_t chosen,
                                          std::int64_t count);

}  // namespace tfm
