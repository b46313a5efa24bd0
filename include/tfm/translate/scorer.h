// Scores given translations: computes the log-probability of each target token, given the tokens
// before it (teacher forcing). The eos of the target is included. N pairs give N results in the
// same order.
// - An empty target is scored as eos alone; an empty source is scored as an empty sentence.
// - Invalid UTF-8 is replaced by U+FFFD.
// - A word that the vocabulary does not cover becomes the unknown token, or is skipped if the
//   vocabulary has none.
// - The result of a pair with a side that is too long has no score.
// A pair's score does not depend on the other pairs, except for the last digits of sums. A Scorer
// is re-entrant: its methods do not change it.
#pragma once

#include <cstdint>
#include <functional>
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
  /// the target tokens as stored in the vocabulary, eos last; empty if the pair is too long
  std::vector<std::string> tokens;
  std::vector<float> log_probs;  ///< log-probabilities (natural logarithm), one per token
  double log_prob = 0;           ///< sum of log_probs; NaN if the pair is too long
  /// number of pieces of text, on both sides, that the vocabularies do not cover (see
  /// Tokenizer::encode)
  std::int64_t unknown = 0;
  bool had_invalid_utf8 = false;  ///< true if a side was not valid UTF-8
  bool too_long = false;
};

class Scorer {
 public:
  /// Scores with one model or an ensemble, as Translator does. Uses these fields of `decoding`:
  /// precision, batch_type, batch_size (lengths are those of the longer side), ensemble_mean and
  /// max_length. Throws ModelError if there is no model, or if the models differ in a vocabulary or
  /// in data.source_eos. Throws ConfigError if the device does not support decoding.precision.
  Scorer(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding);
  ~Scorer();

  /// Returns one score per pair, in the same order. After each batch, calls on_batch, if given,
  /// with the share of pairs scored so far, not counting pairs that are too long. An exception of
  /// on_batch is passed on to the caller.
  std::vector<PairScore> score(const std::vector<SentencePair>& pairs,
                               const std::function<void(double)>& on_batch = {}) const;

  /// Returns the maximum number of tokens per side, without special tokens. The limit is the larger
  /// of decoding.max_length and the models' smallest data.max_length, but never more than learned
  /// positions allow.
  std::int64_t max_length() const;

 private:
  class Network;
  std::unique_ptr<const Network> network_;
};

/// The sums of the scores of a corpus, over the pairs that have a score.
struct CorpusScore {
  std::int64_t pairs = 0;   ///< number of pairs with a score
  std::int64_t tokens = 0;  ///< number of target tokens of these pairs, including eos
  double log_prob = 0;      ///< sum of the log-probabilities of these tokens

  void add(const PairScore& pair);
  /// Returns the cross-entropy in nats per target token, or 0 if there are no tokens.
  double cross_entropy() const { return tokens > 0 ? -log_prob / static_cast<double>(tokens) : 0; }
  double perplexity() const;
};

}  // namespace tfm
