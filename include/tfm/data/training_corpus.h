// The training text as token ids, which with subword regularisation (data.bpe_dropout, Provilkov et
// al. 2020; data.unigram_alpha, Kudo 2018) are drawn anew for every epoch. An epoch's ids depend on
// (text, seed, epoch) alone, so every rank has the same ones and a run that goes on sees what it
// would have seen. Examples keep their number and order: a pair whose drawn division is longer than
// the text allows keeps its usual one.
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
  /// text and tokenizers must outlive it. Throws what encode_corpus throws.
  TrainingCorpus(const ParallelText& text, const TokenizerPair& tokenizers,
                 const DataConfig& config, std::uint64_t seed);

  /// The same examples in every epoch.
  explicit TrainingCorpus(Corpus fixed) : corpus_(std::move(fixed)) {}

  ~TrainingCorpus() { ending_ = true; }  // nobody waits for an epoch that will not come

  /// As of the epoch that began last; before the first one, in the usual division.
  const Corpus& corpus() const { return corpus_; }

  /// Makes corpus() that of this epoch, and has the next one's made in the background. Without
  /// subword regularisation it does nothing.
  void begin_epoch(std::int64_t epoch);

 private:
  std::vector<Example> draw() const;
  std::future<std::vector<Example>> draw_on_new_thread(std::int64_t epoch) const;

  const ParallelText* text_ = nullptr;
  const TokenizerPair* tokenizers_ = nullptr;
  DataConfig config_;
  std::uint64_t seed_ = 0;
  Corpus corpus_;
  std::vector<Example> usual_;    // the division that encode gives
  std::int64_t next_epoch_ = -1;  // which next_ is of
  std::atomic<bool> ending_ = false;
  std::future<std::vector<Example>> next_;
};

/// Every pair, then every pair the other way round: what one model for both directions learns from.
/// Line numbers stay those of the files.
ParallelText both_directions(ParallelText text);

}  // namespace tfm
