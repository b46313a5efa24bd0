// The lengths of a corpus as counts. Before a run trains, they say how many batches a corpus of
// any size makes, and which batch is the longest, without sorting or copying the corpus. Counting
// reads the lengths of the whole corpus, so a CountedCorpus does it once for all questions.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/batcher.h"
#include "tfm/data/corpus.h"
#include "tfm/data/example_list.h"

namespace tfm {

/// counts[n] is the number of examples whose ExampleLengths::in_batch is n.
using LengthCounts = std::vector<std::int64_t>;

LengthCounts count_lengths(const ExampleList& examples, std::int64_t fixed_length);

/// A corpus whose lengths are counted when they are first asked for.
class CountedCorpus {
 public:
  /// The corpus must outlive this object. Its lengths must not change.
  explicit CountedCorpus(const Corpus& corpus) : corpus_(corpus) {}
  explicit CountedCorpus(Corpus&&) = delete;

  const Corpus& corpus() const { return corpus_; }
  /// Returns count_lengths of the examples.
  const LengthCounts& lengths(std::int64_t fixed_length) const;

 private:
  const Corpus& corpus_;
  mutable std::map<std::int64_t, LengthCounts> lengths_;  // by fixed_length
};

/// Returns the number of batches that length_sorted_batches makes of examples of these lengths.
std::int64_t count_sorted_batches(const LengthCounts& counts, BatchType type, std::int64_t size);

/// Returns the first batch of length_sorted_batches: the indices of the longest examples, as many
/// of them as fit into one batch.
std::vector<std::int64_t> longest_batch(const CountedCorpus& corpus, const BatcherOptions& options);

}  // namespace tfm
