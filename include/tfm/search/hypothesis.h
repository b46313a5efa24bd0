// Partial and finished translations, and the score that compares translations of unequal length.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

namespace tfm {

struct ScoredToken {
  std::int32_t token = 0;
  float log_prob = 0;
};

/// Returns true if a comes before b: more probable, or as probable with a lower id.
inline bool more_probable(const ScoredToken& a, const ScoredToken& b) {
  return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.token < b.token;
}

struct Hypothesis {
  std::vector<std::int32_t> tokens;  ///< without bos and eos
  /// the model's log-probability of each token, and of eos if the hypothesis ended with it; without
  /// penalties
  std::vector<float> token_log_probs;
  double log_prob = 0;  ///< the sum of token_log_probs
  /// sum of the repetition penalties, added to log_prob when hypotheses are compared
  double penalty = 0;
  /// length-normalised log-probability including penalties; beam search ranks finished hypotheses
  /// by it
  double score = 0;
  /// true if eos or the stop token ended the hypothesis; false if it was truncated at the maximum
  /// length or because no token was possible
  bool finished = false;
  /// For each entry of token_log_probs, the most probable other tokens at that position, best
  /// first. Only set if SearchRequest::alternatives is above 0.
  std::vector<std::vector<ScoredToken>> alternatives;

  double penalized_log_prob() const { return log_prob + penalty; }
};

/// Returns log_prob / length^alpha, where length includes a final eos (Wu et al. 2016 without their
/// constants; Marian's --normalize). With alpha 0, the score is log_prob. An empty truncated
/// hypothesis counts as length 1, which keeps its score finite.
inline double length_normalized_score(double log_prob, std::int64_t length, double alpha) {
  return log_prob / std::pow(static_cast<double>(std::max<std::int64_t>(length, 1)), alpha);
}

/// Appends a token to an unfinished hypothesis.
inline void append_token(Hypothesis& hypothesis, std::int32_t token, float token_log_prob) {
  hypothesis.tokens.push_back(token);
  hypothesis.token_log_probs.push_back(token_log_prob);
  hypothesis.log_prob += token_log_prob;
}

/// Ends the hypothesis with eos and computes its final score.
inline void finish_with_eos(Hypothesis& hypothesis, float eos_log_prob, double alpha) {
  hypothesis.token_log_probs.push_back(eos_log_prob);
  hypothesis.log_prob += eos_log_prob;
  hypothesis.finished = true;
  hypothesis.score = length_normalized_score(hypothesis.penalized_log_prob(),
                                             std::ssize(hypothesis.tokens) + 1, alpha);
}

/// Ends the hypothesis with the stop token, which becomes its last token, and computes its score.
inline void finish_with_stop_token(Hypothesis& hypothesis, std::int32_t stop, float stop_log_prob,
                                   double alpha) {
  append_token(hypothesis, stop, stop_log_prob);
  hypothesis.finished = true;
  hypothesis.score = length_normalized_score(hypothesis.penalized_log_prob(),
                                             std::ssize(hypothesis.tokens), alpha);
}

/// Computes the final score of a hypothesis that ends without eos or the stop token. `finished`
/// stays false.
inline void finish_truncated(Hypothesis& hypothesis, double alpha) {
  hypothesis.score = length_normalized_score(hypothesis.penalized_log_prob(),
                                             std::ssize(hypothesis.tokens), alpha);
}

/// The hypotheses of each sentence, from best to worst; samples are in the order they were drawn.
using SearchResult = std::vector<std::vector<Hypothesis>>;

}  // namespace tfm
