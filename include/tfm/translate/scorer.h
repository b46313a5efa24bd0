// How likely models find translations that are given: each target token's log-probability after
// those before it (teacher forcing), the end mark counted. N pairs in, N scores out, in order. An
// empty target is its end mark alone; an empty source is what the model makes of an empty sentence;
// invalid UTF-8 is replaced by U+FFFD; a word that the vocabulary does not cover is its unknown
// token, or left out where it has none; a pair with a side that is too long has no score. A pair's
// score does not depend on which others are scored with it (but for the last digits of sums). A
// Scorer is re-entrant: no call changes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

struct TranslationModel;

struct SentencePair {
  std::string source;
  std::string target;
};

struct PairScore {
  /// of the target, as they are stored, the end mark last; none if the pair is too long
  std::vector<std::string> tokens;
  std::vector<float> log_probs;  ///< natural logarithms, one per token
  double log_prob = 0;           ///< their sum; NaN if the pair is too long
  std::int64_t unknown = 0;      ///< pieces of either side that a vocabulary does not cover
  bool repaired = false;         ///< a side was not valid UTF-8
  bool too_long = false;
};

class Scorer {
 public:
  /// models: one or several that score together, as Translator takes them. Of decoding: precision,
  /// batch_type and batch_size (lengths: of the longer side), ensemble_mean, max_length. Throws
  /// ModelError if the models do not share both vocabularies, ConfigError if the device does not
  /// have decoding.precision.
  Scorer(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding);
  ~Scorer();

  std::vector<PairScore> score(const std::vector<SentencePair>& pairs) const;

  /// The most tokens that a side may have, marks not counted: the larger of data.max_length and
  /// decoding.max_length, as far as learned positions reach.
  std::int64_t longest() const;

 private:
  class Network;
  std::unique_ptr<const Network> network_;
};

/// Sums over the pairs of a scored text.
struct CorpusScore {
  std::int64_t pairs = 0;   ///< with a score
  std::int64_t tokens = 0;  ///< of their targets, end marks counted
  double log_prob = 0;      ///< of all

  void add(const PairScore& pair);
  /// Nats per target token; 0 if there is none.
  double cross_entropy() const { return tokens > 0 ? -log_prob / static_cast<double>(tokens) : 0; }
  double perplexity() const;
};

}  // namespace tfm
