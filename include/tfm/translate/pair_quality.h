// Measures how well the two sides of a pair fit, by one model or by one of each direction. For
// filtering a corpus by models.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "tfm/translate/scorer.h"

namespace tfm {

/// Measures of a pair, each from 0 to 1. NaN if the pair is too long for a model, an alignment also
/// if a side has no token.
struct PairQuality {
  double score = std::numeric_limits<double>::quiet_NaN();      ///< see below
  double attention = std::numeric_limits<double>::quiet_NaN();  ///< MeasuredAlignment::attention
  double unaligned = std::numeric_limits<double>::quiet_NaN();  ///< MeasuredAlignment::unaligned
};

/// Returns exp(-cross_entropy), 1 / perplexity: the geometric mean of the probabilities of the
/// target's tokens. The cross-entropy is in nats per token, EOS included.
double inverse_perplexity(double cross_entropy);
/// Returns exp(-(|a - b| + (a + b) / 2)) for the cross-entropies of the target given the source and
/// of the source given the target (dual conditional cross-entropy, Junczys-Dowmunt 2018,
/// arXiv:1809.00197, section 2). It is small if one model finds the pair improbable, or if the
/// models disagree.
double dual_score(double a, double b);

class PairQualityScorer {
 public:
  struct Measures {
    bool score = true;      ///< PairQuality::score
    bool alignment = true;  ///< PairQuality::attention and unaligned
  };

  /// `reverse` translates in the other direction; it may be nullptr. With both models, `score` is
  /// dual_score, `attention` the mean of both, and `unaligned` the larger share: of source words by
  /// `model`, of target words by `reverse`. The models must outlive this object. Each uses its own
  /// decoding config. Throws as Scorer and resolve_alignment_head do.
  PairQualityScorer(TranslationModel& model, TranslationModel* reverse, Measures measures);
  ~PairQualityScorer();

  /// Returns the measures of each pair, in the same order. After each batch, calls on_batch with
  /// the share of the work that is done, and passes its exceptions on.
  std::vector<PairQuality> measure(const std::vector<SentencePair>& pairs,
                                   const std::function<void(double)>& on_batch) const;

 private:
  class Direction;
  std::vector<std::unique_ptr<const Direction>> directions_;
};

}  // namespace tfm
