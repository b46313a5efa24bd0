// The training data as token ids. Two things may make them again for every epoch: modifiers of the
// text (data.modifiers), and subword regularisation (data.bpe_dropout, Provilkov et al. 2020;
// data.unigram_alpha, Kudo 2018), which samples the segmentation into subwords.
// The text is then encoded window by window (epoch_windows.h), or as a whole if a window can hold
// the corpus. The ids of a window depend only on (text, seed, epoch, window), so they are the same
// on all ranks and in a resumed run, whether the text is in memory or in the cache.
// Examples keep their number and order. An example keeps its unmodified text in the default
// segmentation if that of the window would exceed the maximum length, lack tokens, or have more
// unknown tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/data/epoch_windows.h"
#include "tfm/data/numbered_pairs.h"
#include "tfm/modifiers/text_modifiers.h"

namespace tfm {

class WindowEncoding;

/// The text of an example in a window.
struct WindowText {
  std::size_t text = 0;   ///< the number of its text among those of the run
  std::size_t pair = 0;   ///< the index of the pair there, in all directions
  TextPair original;      ///< the pair as it is in the text
  ModifiedPair modified;  ///< what the modifiers make of it
  bool is_used = true;    ///< false if the example keeps its unmodified text
};

class TrainingCorpus {
 public:
  /// `corpus` must know its texts if every epoch encodes them again. Windows are encoded on that
  /// many threads. `tokenizers` and texts in memory must outlive this object. Throws ConfigError if
  /// a vocabulary lacks a symbol of a modifier.
  TrainingCorpus(Corpus corpus, const TokenizerPair& tokenizers, const Config& config,
                 std::int64_t threads = 1);
  /// Encodes texts in memory first. Throws what encode_texts throws.
  TrainingCorpus(std::span<const ParallelText> texts, const TokenizerPair& tokenizers,
                 const Config& config, std::int64_t threads = 1);
  ~TrainingCorpus();
  TrainingCorpus(const TrainingCorpus&) = delete;
  TrainingCorpus& operator=(const TrainingCorpus&) = delete;

  /// Returns the examples of the window that was started last; before the first window, those of
  /// the unmodified text in the default segmentation.
  const Corpus& corpus() const { return corpus_; }

  /// Switches corpus() to this window, and starts to encode the next one in the background. Does
  /// nothing if all epochs have the same examples. Throws DataError if text can't be read, and
  /// Interrupted if a signal arrives; the window is then not switched.
  void begin_window(const EpochWindows& windows, Window window);

  /// Returns the text of an example of the window that was started last; nullopt if the corpus does
  /// not know its texts.
  std::optional<WindowText> text_of(std::size_t example) const;

 private:
  const TextOfExamples& text_with(std::size_t example) const;
  PairKey key_of(const TextOfExamples& text, std::size_t index, std::int64_t epoch) const;
  ModifiedPair modify(const TextOfExamples& text, std::size_t index, std::int64_t epoch) const;
  std::optional<Example> changed(std::size_t example, std::int64_t epoch) const;
  std::optional<Example> encode(const ModifiedPair& pair, const Example& usual, bool has_tag) const;
  std::unique_ptr<WindowEncoding> start(const EpochWindows& windows, Window window) const;

  Corpus corpus_;
  const TokenizerPair* tokenizers_;
  DataConfig config_;
  TextModifiers modifiers_;
  std::uint64_t seed_;
  std::int64_t threads_;
  std::optional<Window> current_;
  Window next_window_;
  std::unique_ptr<WindowEncoding> next_;  // of next_window_; uses the members above
};

/// Encodes texts in memory, which must outlive the result: each is one text of the corpus. Texts
/// with a name become its sets. Throws DataError as encode_corpus does, and ConfigError if a
/// vocabulary lacks a symbol of a modifier.
Corpus encode_texts(std::span<const ParallelText> texts, const TokenizerPair& tokenizers,
                    const Config& config, std::int64_t threads = 1);

/// Notes that `pairs` is the text of the last examples of the corpus, from `begin` on: a text of
/// this set or, if `reversed`, its other direction, which must follow the first.
void add_text(Corpus& corpus, std::int64_t begin, std::shared_ptr<const NumberedPairs> pairs,
              const TrainingSet& set, bool reversed, const DataConfig& config);

/// Throws ConfigError if the vocabulary of the source lacks a symbol that a modifier writes.
void require_modifier_symbols(const TokenizerPair& tokenizers, const DataConfig& config);

/// Returns every pair, followed by every pair with source and target exchanged: the training data
/// of one model for both directions. Line numbers remain those of the files.
ParallelText with_reversed_pairs(ParallelText text);

}  // namespace tfm
