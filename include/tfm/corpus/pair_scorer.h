// Measures of pairs by models, for the rules that need them. The corpus library has no models: a
// command gives it a PairScorer.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "tfm/corpus/pair_source.h"

namespace tfm {

/// Measures of one pair. NaN: the model cannot measure the pair, and no rule drops it for that.
struct PairScores {
  double score = std::numeric_limits<double>::quiet_NaN();      ///< how well the sides fit
  double attention = std::numeric_limits<double>::quiet_NaN();  ///< between aligned words
  double unaligned = std::numeric_limits<double>::quiet_NaN();  ///< share of words without a link
};

class PairScorer {
 public:
  virtual ~PairScorer() = default;
  /// Returns the measures of each pair, in the same order. After each batch, calls on_share
  /// with the share of the pairs that is done (0 to 1), and passes its exceptions on.
  virtual std::vector<PairScores> score(std::span<const CorpusPair* const> pairs,
                                        const std::function<void(double)>& on_share) = 0;
};

}  // namespace tfm
