// Groups a corpus into batches of sentence pairs of similar length, epoch after epoch. For a given
// corpus and options, the batches of an epoch depend only on the seed and the epoch. A position is
// therefore only two numbers, and a resumed run uses exactly the batches of an uninterrupted run.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"

namespace tfm {

/// A position in the sequence of batches: the epoch, from 0, and the index of the next batch in
/// that epoch.
struct DataPosition {
  std::int64_t epoch = 0;
  std::int64_t next = 0;

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
};

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

  /// Returns the position of the next batch: {e, 0} exactly when epoch e begins.
  DataPosition position() const { return position_; }
  /// Moves to a position that a batcher with the same corpus and options has returned. Throws
  /// DataError if the position does not exist.
  void seek(DataPosition position);
  /// Returns the number of batches in the epoch that was started last.
  std::int64_t batches_per_epoch() const { return static_cast<std::int64_t>(batches_.size()); }

 private:
  void plan(std::int64_t epoch);

  const Corpus& corpus_;
  BatcherOptions options_;
  std::function<void(std::int64_t)> begin_epoch_;
  DataPosition position_;
  std::int64_t planned_epoch_ = -1;
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
