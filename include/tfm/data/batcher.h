// Divides a corpus into batches of similar length, epoch after epoch. An epoch's batches depend on
// (seed, epoch) alone, so a position is two numbers and a run that goes on sees exactly the batches
// it would have seen.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"

namespace tfm {

/// epoch: 0-based. next: index of the batch to come within the epoch.
struct DataPosition {
  std::int64_t epoch = 0;
  std::int64_t next = 0;

  bool operator==(const DataPosition&) const = default;
};

struct BatcherOptions {
  BatchType type = BatchType::tokens;
  /// tokens: B x max(S, T) of a padded batch is at most this (a single longer pair makes a batch of
  /// its own). sentences: B.
  std::int64_t size = 4096;
  /// Where above 0: what a pair's length counts as, because every batch is padded to it.
  std::int64_t fixed_length = 0;
  /// Off: corpus order, epoch after epoch, no sorting.
  bool shuffle = true;
  std::uint64_t seed = 1;
};

class Batcher {
 public:
  /// Keeps a reference: the corpus must outlive it. begin_epoch, where given, is called before an
  /// epoch's first batch is handed out and may change the examples' tokens, but not their number.
  /// Throws DataError on an empty corpus.
  Batcher(const Corpus& corpus, BatcherOptions options,
          std::function<void(std::int64_t)> begin_epoch = {});

  /// The examples of the next batch; begins a new epoch after the last one.
  std::vector<std::int64_t> next();

  /// Where the next batch stands: {e, 0} exactly when epoch e begins.
  DataPosition position() const { return position_; }
  /// Goes to a position that position() gave, on the same corpus and options.
  void seek(DataPosition position);
  /// Of the epoch that was begun last.
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

/// Every item once, in batches of at most `size` tokens (items x longest) or items, the longest
/// items first and like lengths together: little padding, and the rows of a batch end at about the
/// same time. For translation and validation, where order does not matter.
std::vector<std::vector<std::int64_t>> length_sorted_batches(
    const std::vector<std::int64_t>& lengths, BatchType type, std::int64_t size);

/// Consecutive runs of `order` that obey the budget. lengths[i]: max(S, T) of item i.
std::vector<std::vector<std::int64_t>> batches_within_budget(
    const std::vector<std::int64_t>& order, const std::vector<std::int64_t>& lengths,
    BatchType type, std::int64_t size);

}  // namespace tfm
