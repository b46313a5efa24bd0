// The training data as token ids. Two things may make them again for every epoch: modifiers of the
// text (data.modifiers), and subword regularisation (data.bpe_dropout, Provilkov et al. 2020;
// data.unigram_alpha, Kudo 2018), which samples the segmentation into subwords. The ids of an epoch
// depend only on (text, seed, epoch), so they are the same on all ranks and in a resumed run.
// Examples keep their number and order. An example keeps its unmodified text in the default
// segmentation if the epoch's would exceed the maximum length, lack tokens, or have more unknown
// tokens.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/data/language_pair.h"
#include "tfm/modifiers/text_modifiers.h"

namespace tfm {

/// The text of an example in an epoch.
struct EpochText {
  const ParallelText* text = nullptr;  ///< the text that the pair is from
  std::size_t pair = 0;                ///< its index there
  ModifiedPair modified;               ///< what the modifiers make of it
  bool is_used = true;                 ///< false if the example keeps its unmodified text
};

class TrainingCorpus {
 public:
  /// Encodes the texts on that many threads. Texts with a name become the sets of the corpus.
  /// `texts` and `tokenizers` must outlive this object. Throws DataError as encode_corpus does.
  TrainingCorpus(std::span<const ParallelText> texts, const TokenizerPair& tokenizers,
                 const Config& config, std::int64_t threads = 1);

  /// Uses the same examples in every epoch.
  explicit TrainingCorpus(Corpus fixed) : corpus_(std::move(fixed)) {}

  ~TrainingCorpus() { ending_ = true; }  // cancels the encoding of the next epoch

  /// Returns the examples of the epoch that was started last; before the first epoch, those of the
  /// unmodified text in the default segmentation.
  const Corpus& corpus() const { return corpus_; }

  /// Switches corpus() to this epoch, and starts encoding the next epoch in the background. Does
  /// nothing if all epochs have the same examples.
  void begin_epoch(std::int64_t epoch);

  /// Returns the text of an example of the epoch that was started last; nullopt if the examples
  /// were given without their text.
  std::optional<EpochText> text_of(std::size_t example) const;

 private:
  ExampleList encode_epoch(std::int64_t epoch) const;
  std::optional<Example> encode(const EpochText& text, const Example& usual) const;
  EpochText unmodified(std::size_t text, std::size_t example) const;
  PairInText place_in_direction(std::size_t text, std::size_t pair) const;
  EpochText modify(std::size_t text, std::size_t example, std::int64_t epoch) const;
  std::future<ExampleList> encode_on_new_thread(std::int64_t epoch) const;

  std::span<const ParallelText> texts_;
  std::vector<std::size_t> ends_;        // for each text, the end of its examples
  std::vector<LanguagePair> languages_;  // of each text, without the second direction
  const TokenizerPair* tokenizers_ = nullptr;
  DataConfig config_;
  TextModifiers modifiers_;
  std::uint64_t seed_ = 0;
  Corpus corpus_;
  ExampleList default_examples_;  // of the unmodified text in the default segmentation
  std::int64_t next_epoch_ = -1;  // the epoch of next_; -1 before the first epoch
  std::atomic<bool> ending_ = false;
  std::future<ExampleList> next_;
};

/// Returns every pair, followed by every pair with source and target exchanged: the training data
/// of one model for both directions. Line numbers remain those of the files.
ParallelText with_reversed_pairs(ParallelText text);

}  // namespace tfm
