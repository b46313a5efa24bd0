// Groups a corpus into batches of sentence pairs of similar length, epoch after epoch. An epoch
// consists of windows: a random permutation of the corpus (permutation.h) or of what the epoch
// draws from its sets (mixture.h), cut into parts of about a million pairs. The pairs of a window
// are sorted by length and cut into batches, whose order is random. For a given corpus and options,
// the batches of a window depend only on the seed, the epoch and the window. A position is
// therefore only three numbers, a resumed run uses exactly the batches of an uninterrupted run, and
// memory does not depend on the size of the corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/data/mixture.h"

namespace tfm {

/// A position in the sequence of batches: the epoch, from 0, the index of the next batch in the
/// window, and the window, from 0. A small corpus is one window.
struct DataPosition {
  std::int64_t epoch = 0;
  std::int64_t next = 0;
  std::int64_t window = 0;

  bool begins_epoch() const { return next == 0 && window == 0; }
  bool operator==(const DataPosition&) const = default;
};

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
  std::int64_t window_size = std::int64_t{1} << 20;
  /// How the sets of the corpus are mixed; empty if every epoch visits all of them once.
  std::vector<DataStage> stages{};
  /// The temperature of the mixture if there are no stages (Mixture). Above 1, an epoch repeats
  /// small sets.
  double temperature = 1;
};

/// Returns how a corpus is mixed.
Mixture mixture_of(const Corpus& corpus, const BatcherOptions& options);

class Batcher {
 public:
  /// Starts at a position that a batcher with the same corpus and options has returned. The corpus
  /// must outlive the batcher. `begin_epoch`, if given, is called with the number of an epoch
  /// before the batcher returns a batch of that epoch. The function may change the tokens of the
  /// examples but not their number. Throws DataError if the corpus is empty or the position does
  /// not exist.
  Batcher(const Corpus& corpus, BatcherOptions options,
          std::function<void(std::int64_t)> begin_epoch = {}, DataPosition start = {});

  /// Returns the indices of the examples in the next batch. After the last batch of an epoch, a new
  /// epoch begins.
  std::vector<std::int64_t> next();

  /// Returns the position of the next batch: {e, 0, 0} exactly when epoch e begins.
  DataPosition position() const { return position_; }
  /// Moves to a position that a batcher with the same corpus and options has returned. Throws
  /// DataError if the position does not exist.
  void seek(DataPosition position);
  /// Returns the number of batches in the window that was planned last.
  std::int64_t batches_in_window() const { return static_cast<std::int64_t>(batches_.size()); }
  /// Returns the number of windows in an epoch.
  std::int64_t windows(std::int64_t epoch) const;
  /// Returns the share of the epoch before the position, from 0 to 1.
  double share_of_epoch() const;

 private:
  /// Numbers of an epoch and a window.
  struct Window {
    std::int64_t epoch = -1;
    std::int64_t index = 0;
    bool operator==(const Window&) const = default;
  };

  Window window_at(DataPosition position) const { return {position.epoch, position.window}; }
  void plan(Window window);
  std::vector<std::int64_t> items_of(Window window) const;

  const ExampleList& examples_;
  BatcherOptions options_;
  std::function<void(std::int64_t)> begin_epoch_;
  Mixture mixture_;
  DataPosition position_;
  Window planned_;
  std::vector<std::vector<std::int64_t>> batches_;
};

/// Returns the index of every item once, in batches of at most `size` tokens (number of items x
/// longest length) or `size` items. The longest items come first, and items of similar length share
/// a batch. There is therefore little padding, and the rows of a batch end at about the same time.
/// Used for translation and validation, for which the order does not matter.
std::vector<std::vector<std::int64_t>> length_sorted_batches(
    const std::vector<std::int64_t>& lengths, BatchType type, std::int64_t size);

/// Splits the item indices in `order` into consecutive batches. `size` limits a batch as
/// BatcherOptions::size does. lengths[i] is max(S, T) of item i.
std::vector<std::vector<std::int64_t>> batches_within_budget(
    const std::vector<std::int64_t>& order, const std::vector<std::int64_t>& lengths,
    BatchType type, std::int64_t size);

}  // namespace tfm
