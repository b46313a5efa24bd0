// A translation in the making or finished, and how hypotheses of unequal length are compared.
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

struct Hypothesis {
  std::vector<std::int32_t> tokens;  ///< without bos and eos
  /// of each token, and of eos last where it ended by eos: the model's, without penalties
  std::vector<float> token_log_probs;
  double log_prob = 0;  ///< their sum
  /// what the repetition penalty adds to log_prob where hypotheses are compared
  double penalty = 0;
  /// normalised, with penalties: what hypotheses are ordered by
  double score = 0;
  /// by eos or the stop token; false: cut at the maximum length, or where no token was possible
  bool ended = false;
  /// For each of token_log_probs, the likeliest other tokens in its place, best first; only where
  /// SearchRequest::alternatives asks for them.
  std::vector<std::vector<ScoredToken>> alternatives;

  double penalized_log_prob() const { return log_prob + penalty; }
};

/// log_prob / length^alpha, length counting eos (Wu et al. 2016, without its constants; Marian's
/// --normalize). alpha 0: the plain sum. An empty hypothesis that was cut has length 0 and counts
/// as 1, which keeps its score finite.
inline double length_normalized_score(double log_prob, std::int64_t length, double alpha) {
  return log_prob / std::pow(static_cast<double>(std::max<std::int64_t>(length, 1)), alpha);
}

/// The hypothesis longer by one token.
inline void append_token(Hypothesis& hypothesis, std::int32_t token, float token_log_prob) {
  hypothesis.tokens.push_back(token);
  hypothesis.token_log_probs.push_back(token_log_prob);
  hypothesis.log_prob += token_log_prob;
}

/// The hypothesis ended by eos, with its final score.
inline void finish_with_eos(Hypothesis& hypothesis, float eos_log_prob, double alpha) {
  hypothesis.token_log_probs.push_back(eos_log_prob);
  hypothesis.log_prob += eos_log_prob;
  hypothesis.ended = true;
  hypothesis.score = length_normalized_score(hypothesis.penalized_log_prob(),
                                             std::ssize(hypothesis.tokens) + 1, alpha);
}

/// The hypothesis ended by the stop token, which stays its last, with its final score.
inline void finish_with_stop_token(Hypothesis& hypothesis, std::int32_t stop, float stop_log_prob,
                                   double alpha) {
  append_token(hypothesis, stop, stop_log_prob);
  hypothesis.ended = true;
  hypothesis.score = length_normalized_score(hypothesis.penalized_log_prob(),
                                             std::ssize(hypothesis.tokens), alpha);
}

/// The hypothesis finished as it stands, with its final score.
inline void finish_truncated(Hypothesis& hypothesis, double alpha) {
  hypothesis.score = length_normalized_score(hypothesis.penalized_log_prob(),
                                             std::ssize(hypothesis.tokens), alpha);
}

/// For each sentence, hypotheses from best to worst; drawn ones in the order of drawing.
using SearchResult = std::vector<std::vector<Hypothesis>>;

}  // namespace tfm
