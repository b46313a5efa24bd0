// How likely models find translations that are given: each target token's log-probability after
// those before it (teacher forcing), the end mark counted. N pairs in, N scores out, in order. An
// empty target is its end mark alone; an empty source is what the model makes of an empty sentence;
// invalid UTF-8 is replaced by U+FFFD; a word that the vocabulary does not cover is its unknown
// token, or left out where it has none; a pair with a side that is too long has no score. A pair's
// score does not depend on which others are scored with it (but for the last digits of sums).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/inference.h"

namespace tfm {

struct SentencePair {
  std::string source;
  std::string target;
};

struct PairScore {
  /// of the target, as they are stored, the end mark last; none where the pair is too long
  std::vector<std::string> tokens;
  std::vector<float> log_probs;  ///< natural logarithms, one a token
  double log_prob = 0;           ///< their sum; NaN where the pair is too long
  std::int64_t unknown = 0;      ///< pieces of either side that a vocabulary does not cover
  bool repaired = false;         ///< a side was not valid UTF-8
  bool too_long = false;
};

class Scorer {
 public:
  /// Of decoding: precision, batch_type and batch_size (lengths: of the longer side),
  /// ensemble_mean, max_length. The models must outlive this and their weights must not change.
  /// Throws ModelError where they do not share both vocabularies, ConfigError where the device does
  /// not have decoding.precision.
  Scorer(std::vector<TranslationModel*> models, const DecodingConfig& decoding);

  std::vector<PairScore> score(const std::vector<SentencePair>& pairs);

  /// Tokens of a side, marks not counted: the larger of data.max_length and decoding.max_length, as
  /// far as learned positions reach.
  std::int64_t longest() const { return longest_; }

 private:
  Example encode(const SentencePair& pair, PairScore& score) const;
  Corpus encode(const std::vector<SentencePair>& pairs, std::vector<PairScore>& scores) const;
  std::vector<float> log_probs(const Corpus& corpus, const std::vector<std::int64_t>& indices);

  std::vector<TranslationModel*> models_;
  TranslationModel& model_;  // the first: its tokenizers and marks are everyone's
  DecodingConfig decoding_;
  std::int64_t longest_;
  Inference inference_;
};

/// What a scored text comes to.
struct CorpusScore {
  std::int64_t pairs = 0;   ///< with a score
  std::int64_t tokens = 0;  ///< of their targets, end marks counted
  double log_prob = 0;      ///< of all

  void add(const PairScore& pair);
  /// Nats a target token; 0 for no token.
  double cross_entropy() const { return tokens > 0 ? -log_prob / static_cast<double>(tokens) : 0; }
  double perplexity() const;
};

}  // namespace tfm
