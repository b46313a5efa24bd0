// The batches of a run's updates, in order. For a device that computes while the host does
// something else, the batches of the next update are collated on another thread during the current
// one. Order and positions do not depend on this.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <vector>

#include "tfm/data/batcher.h"
#include "tfm/model/batch.h"
#include "tfm/training/update_batches.h"

namespace tfm {

struct UpdateInputOptions {
  std::int64_t accum_count = 1;  ///< batches of this rank per update
  int rank = 0;
  int ranks = 1;
  bool ahead = false;  ///< whether to collate the batches of the next update on another thread
};

class UpdateInput {
 public:
  /// Converts the batches of an update to tensors. Called on another thread if options.ahead is
  /// set, but never on two threads at once.
  using Collate = std::function<std::vector<Batch>(const std::vector<BatchIndices>&)>;

  /// Starts at the position of the batcher.
  UpdateInput(Batcher batcher, const UpdateInputOptions& options, Collate collate);
  UpdateInput(const UpdateInput&) = delete;
  UpdateInput& operator=(const UpdateInput&) = delete;
  ~UpdateInput() { discard(); }

  /// Returns this rank's batches of the next update.
  std::vector<Batch> next();

  /// Returns the position after the batches that next() returned last.
  DataPosition position() const { return position_; }
  /// Returns the share of the epoch before the position, from 0 to 1.
  double share_of_epoch() const { return share_of_epoch_; }
  /// Moves to a position (see Batcher::seek).
  void seek(DataPosition position);

 private:
  std::vector<BatchIndices> plan();
  bool has_planned_another_update();
  void read_position();
  void discard();

  Batcher batcher_;
  UpdateInputOptions options_;
  Collate collate_;
  DataPosition position_;
  double share_of_epoch_ = 0;
  std::future<std::vector<Batch>> next_;  // of the update after the position, if begun
};

}  // namespace tfm
