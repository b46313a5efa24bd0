// Formulas by which users bend a model's preferences. They change how hypotheses are compared,
// never the log-probabilities that are reported.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tfm {

/// What the repetition penalty adds to the log-probability of a token that the hypothesis already
/// contains: (theta - 1) log p. Keskar et al. 2019 (section 4.1) divide the logit by theta, which
/// depends on where its zero lies; log-probabilities are at most 0, so multiplying one always makes
/// a token less likely where theta > 1. There is no second normalisation.
inline double repetition_penalty(double log_prob, double theta) { return (theta - 1) * log_prob; }

/// Wu et al. 2016, equation 14: beta x sum over i of log(min(coverage[i], 1)), coverage[i] being
/// the attention that source token i received from all target tokens. At most 0; finite, though no
/// attention at all would be log 0.
double coverage_penalty(std::span<const float> coverage, double beta);

/// Tokens that would complete an n-gram of `size` tokens that the hypothesis already contains,
/// added to banned; size 0: none.
void ban_repeated_ngrams(std::span<const std::int32_t> tokens, std::int64_t size,
                         std::vector<std::int32_t>& banned);

/// Tokens that would complete one of the phrases, added to banned.
void ban_phrases(std::span<const std::int32_t> tokens,
                 std::span<const std::vector<std::int32_t>> phrases,
                 std::vector<std::int32_t>& banned);

}  // namespace tfm
