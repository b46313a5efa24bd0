// The training data as token ids. With subword regularisation (data.bpe_dropout, Provilkov et al.
// 2020; data.unigram_alpha, Kudo 2018), the segmentation into subwords is sampled again for every
// epoch. The ids of an epoch depend only on (text, seed, epoch), so they are the same on all ranks
// and in a resumed run. Examples keep their number and order. If a sampled segmentation of a pair
// exceeds the maximum length, the default segmentation is used.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <utility>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

class TrainingCorpus {
 public:
  /// Encodes the text on that many threads. `text` and `tokenizers` must outlive this object.
  /// Throws DataError as encode_corpus does.
  TrainingCorpus(const ParallelText& text, const TokenizerPair& tokenizers,
                 const DataConfig& config, std::uint64_t seed, std::int64_t threads = 1);

  /// Uses the same examples in every epoch.
  explicit TrainingCorpus(Corpus fixed) : corpus_(std::move(fixed)) {}

  ~TrainingCorpus() { ending_ = true; }  // cancels sampling of the next epoch

  /// Returns the examples of the epoch that was started last; before the first epoch, those in the
  /// default segmentation.
  const Corpus& corpus() const { return corpus_; }

  /// Switches corpus() to this epoch, and starts sampling the next epoch in the background. Without
  /// subword regularisation, does nothing.
  void begin_epoch(std::int64_t epoch);

 private:
  ExampleList resegment() const;
  std::future<ExampleList> resegment_on_new_thread(std::int64_t epoch) const;

  const ParallelText* text_ = nullptr;
  const TokenizerPair* tokenizers_ = nullptr;
  DataConfig config_;
  std::uint64_t seed_ = 0;
  Corpus corpus_;
  ExampleList default_examples_;  // the examples in the default segmentation
  std::int64_t next_epoch_ = -1;  // the epoch of next_; -1 if nothing is sampled
  std::atomic<bool> ending_ = false;
  std::future<ExampleList> next_;
};

/// Returns every pair, followed by every pair with source and target exchanged: the training data
/// of one model for both directions. Line numbers remain those of the files.
ParallelText with_reversed_pairs(ParallelText text);

}  // namespace tfm
