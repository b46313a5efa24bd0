#include "tfm/search/logits_processor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tfm/search/penalties.h"

namespace tfm {

void ProcessedRow::adjust(std::int32_t token, double amount) {
  const auto found = std::ranges::find(penalized, token, &ScoredToken::token);
  if (found == penalized.end()) {
    penalized.push_back({token, candidate.next.log_prob(token) + static_cast<float>(amount)});
  } else {
    found->log_prob += static_cast<float>(amount);
  }
  candidate.penalized = penalized;
}

void ProcessedRow::ban(std::int32_t token) {
  banned.push_back(token);
  candidate.banned = banned;
}

ProcessedRow LogitsProcessor::apply(std::size_t sentence, const Hypothesis& hypothesis,
                                    const NextTokens& next) const {
  const auto& tokens = hypothesis.tokens;
  ProcessedRow row;
  row.candidate.log_prob = hypothesis.penalized_log_prob();
  row.candidate.next = next;
  if (!request_.constraints.empty()) {
    const Constraints& constraints = request_.constraints[sentence];
    if (tokens.size() < constraints.prefix.size())
      row.candidate.forced_token = constraints.prefix[tokens.size()];
    ban_phrases(tokens, constraints.forbidden, row.banned);
  }
  ban_repeated_ngrams(tokens, config_.no_repeat_ngram_size, row.banned);
  if (std::ssize(tokens) < config_.min_length) row.banned.push_back(request_.eos);
  if (std::ssize(tokens) + 1 < config_.min_length && request_.stop >= 0)
    row.banned.push_back(request_.stop);
  row.candidate.banned = row.banned;
  if (config_.repetition_penalty != 1) {
    for (const std::int32_t token : std::set(tokens.begin(), tokens.end())) {
      const float log_prob = next.log_prob(token);
      if (!std::isinf(log_prob))
        row.adjust(token, repetition_penalty(log_prob, config_.repetition_penalty));
    }
  }
  return row;
}

void LogitsProcessor::extend(Hypothesis& hypothesis, std::int32_t token,
                             const NextTokens& next) const {
  const float log_prob = next.log_prob(token);
  if (request_.alternatives > 0)
    hypothesis.alternatives.push_back(top_alternatives(next, token, request_.alternatives));
  const bool repeated = config_.repetition_penalty != 1 &&
                        std::ranges::find(hypothesis.tokens, token) != hypothesis.tokens.end();
  if (repeated) hypothesis.penalty += repetition_penalty(log_prob, config_.repetition_penalty);
  if (token == request_.eos) {
    finish_with_eos(hypothesis, log_prob, config_.length_penalty);
  } else if (token == request_.stop) {
    finish_with_stop_token(hypothesis, token, log_prob, config_.length_penalty);
  } else {
    append_token(hypothesis, token, log_prob);
  }
}

std::vector<ScoredToken> top_alternatives(const NextTokens& next, std::int32_t chosen,
                                          std::int64_t count) {
  std::vector<ScoredToken> best;
  const auto threshold = [&] {
    return std::ssize(best) < count ? -std::numeric_limits<float>::infinity()
                                    : best.back().log_prob;
  };
  next.visit_promising(threshold, [&](std::int32_t token) {
    const ScoredToken candidate{token, next.log_prob(token)};
    if (candidate.token == chosen || std::isinf(candidate.log_prob)) return;
    best.insert(std::ranges::upper_bound(best, candidate, more_probable), candidate);
    if (std::ssize(best) > count) best.pop_back();
  });
  return best;
}

}  // namespace tfm
