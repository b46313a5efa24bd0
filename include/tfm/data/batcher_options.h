// The options of the order in which a run visits its training data.
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/data/mixture.h"

namespace tfm {

/// The largest number of pairs of a window, and of a corpus whose epochs are encoded as a whole.
inline constexpr std::int64_t largest_window = std::int64_t{1} << 20;

struct BatcherOptions {
  BatchType type = BatchType::tokens;
  /// For BatchType::tokens, the maximum size of a padded batch in tokens, B x max(S, T); a longer
  /// pair gets its own batch. For BatchType::sentences, the maximum number of pairs B.
  std::int64_t size = 4096;
  /// If above 0, every pair is counted as having this length, because all batches are padded to it.
  std::int64_t fixed_length = 0;
  /// If false, every epoch has the order of the corpus, neither sorted nor shuffled.
  bool shuffle = true;
  std::uint64_t seed = 1;
  /// The largest number of pairs of a window.
  std::int64_t window_size = largest_window;
  /// How the sets of the corpus are mixed; empty if every epoch visits all of them once.
  std::vector<DataStage> stages{};
  /// The temperature of the mixture if there are no stages (Mixture). Above 1, an epoch repeats
  /// small sets.
  double temperature = 1;
};

/// Returns the largest number of pairs of a window of a corpus with this number of pairs. If every
/// epoch is encoded again, the windows of a large corpus are smaller, because a window must be
/// encoded before its first batch.
std::int64_t window_size(const DataConfig& config, std::int64_t pairs);

/// Returns how a corpus is mixed.
Mixture mixture_of(const Corpus& corpus, const BatcherOptions& options);

}  // namespace tfm
