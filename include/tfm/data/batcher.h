// Groups a corpus into batches of sentence pairs of similar length, epoch after epoch. An epoch
// consists of windows (epoch_windows.h). The pairs of a window are sorted by length and cut into
// batches, whose order is random. For a given corpus and options, the batches of a window depend
// only on the seed, the epoch and the window. A position is therefore only three numbers, a resumed
// run uses exactly the batches of an uninterrupted run, and memory does not depend on the size of
// the corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/batcher_options.h"
#include "tfm/data/corpus.h"
#include "tfm/data/epoch_windows.h"

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

class Batcher {
 public:
  /// Called before a window is planned. The function may change the tokens of the examples but not
  /// their number.
  using BeginWindow = std::function<void(const EpochWindows&, Window)>;

  /// Starts at a position that a batcher with the same corpus and options has returned. The corpus
  /// must outlive the batcher. `begin_window` may be empty. Throws DataError if the corpus is
  /// empty, and as seek() does.
  Batcher(const Corpus& corpus, BatcherOptions options, BeginWindow begin_window = {},
          DataPosition start = {});

  /// Returns the indices of the examples in the next batch. After the last batch of an epoch, a new
  /// epoch begins. Throws what `begin_window` throws; the position is then unchanged.
  std::vector<std::int64_t> next();

  /// Returns the position of the next batch: {e, 0, 0} exactly when epoch e begins.
  DataPosition position() const { return position_; }
  /// Moves to a position that a batcher with the same corpus and options has returned. Plans its
  /// window unless it is the window's first. Throws DataError if the position does not exist, and
  /// what `begin_window` throws.
  void seek(DataPosition position);
  /// Returns the number of batches in the window of the position, which is planned if it is not
  /// yet. Throws what `begin_window` throws.
  std::int64_t batches_in_window();
  /// Returns the number of windows in an epoch.
  std::int64_t windows(std::int64_t epoch) const { return windows_.count(epoch); }
  /// Returns the share of the epoch before the position, from 0 to 1.
  double share_of_epoch() const;

 private:
  Window window_at(DataPosition position) const { return {position.epoch, position.window}; }
  void require_plan();
  void plan(Window window);

  const ExampleList& examples_;
  BatcherOptions options_;
  EpochWindows windows_;
  BeginWindow begin_window_;
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
