// Penalties and bans that change how hypotheses are ranked, but never the log-probabilities that
// are reported.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tfm {

/// Returns the repetition penalty, (theta - 1) log p: the amount added to the log-probability of a
/// token that the hypothesis already contains. Keskar et al. 2019 (section 4.1) divide the logit by
/// theta, so their result changes if a constant is added to all logits. Log-probabilities are at
/// most 0, so multiplying them by theta > 1 always makes the token less probable. Probabilities are
/// not normalised again.
inline double repetition_penalty(double log_prob, double theta) { return (theta - 1) * log_prob; }

/// Returns the coverage penalty of Wu et al. 2016, equation 14: beta x sum over i of
/// log(min(coverage[i], 1)). coverage[i] is the attention that source token i received from all
/// target tokens. The result is at most 0, and finite even for a token without any attention.
double coverage_penalty(std::span<const float> coverage, double beta);

/// Appends to `banned` each token that would repeat an n-gram of `size` tokens if it followed
/// `tokens`. A size of 0 bans no token.
void ban_repeated_ngrams(std::span<const std::int32_t> tokens, std::int64_t size,
                         std::vector<std::int32_t>& banned);

/// Appends to `banned` each token that would complete one of the phrases if it followed `tokens`.
void ban_phrases(std::span<const std::int32_t> tokens,
                 std::span<const std::vector<std::int32_t>> phrases,
                 std::vector<std::int32_t>& banned);

}  // namespace tfm
