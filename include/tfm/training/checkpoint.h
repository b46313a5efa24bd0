// A checkpoint is everything that going on needs: weights, optimizer, random numbers, position in
// the data, best score so far. It is a folder checkpoints/step-00001000 of the run, written under
// another name and renamed when whole and on disk, so that a crash never leaves half of one. Its
// manifest tells later damage.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "tfm/data/batcher.h"
#include "tfm/nn/transformer.h"
#include "tfm/optim/optimizer.h"
#include "tfm/training/divergence.h"

namespace tfm {

/// What changes while training goes on, beside weights and optimizer.
struct TrainerState {
  std::int64_t step = 0;  ///< updates done
  DataPosition position;
  double seconds = 0;     ///< of training, over all its sessions
  double epoch_loss = 0;  ///< summed over the epoch's target tokens so far
  std::int64_t epoch_tokens = 0;
  double report_loss = 0;  ///< the same since the last line of the log
  std::int64_t report_tokens = 0;
  std::optional<double> best_score;
  std::int64_t best_step = 0;
  std::int64_t validations_without_gain = 0;
  std::int64_t validated_step = -1;    ///< the last validation's
  std::int64_t averaged_step = -1;     ///< at whose end the mean of checkpoints was tried
  std::int64_t scoreless_step = -1;    ///< the last whose validation had no finite score
  std::uint32_t data_fingerprint = 0;  ///< of the text and of what decides its batches
  /// of what best_score was measured by; 0 in checkpoints of before there was one
  std::uint32_t metric_fingerprint = 0;
  /// the checkpoint: by the config or at the end of training, not by an interruption
  bool asked_for = true;
  Divergence divergence;
};

/// Which checkpoints stay: the newest `count` of those that were asked for. Another stays while it
/// is the newest, or fewer than `count` are there: one of an interruption must not push out those
/// that a run without it would keep and average.
struct RetentionPolicy {
  struct Entry {
    std::int64_t step = 0;
    bool asked_for = true;
  };
  std::int64_t count = 1;
  /// others go: a run that has ended leaves what it would have left without interruptions
  bool only_asked_for = false;

  /// The steps of the checkpoints that stay, of these (oldest first).
  std::vector<std::int64_t> kept(std::vector<Entry> checkpoints) const;
};

class Checkpoints {
 public:
  explicit Checkpoints(const std::filesystem::path& run_folder);

  /// Writes one, with the state of the device's random generator, then removes those that need not
  /// stay. Throws ModelError, and leaves the others as they are, where it can't be written.
  void save(const TrainerState& progress, const Transformer& network, const Optimizer& optimizer,
            const RetentionPolicy& keep) const;

  /// Removes those that need not stay.
  void remove_old(const RetentionPolicy& keep) const;

  /// Rewrites the progress of the newest one, all or nothing: after a rollback, a validation that
  /// came after it, and the mean of checkpoints.
  void save_progress(const TrainerState& progress) const;

  /// Sees to what a kill may have left. Only for who has the run's lock. Throws ModelError.
  void recover() const;

  /// Folders of checkpoints that were written whole, oldest first. Their files may have been
  /// damaged since.
  std::vector<std::filesystem::path> list() const;

  /// Those of list() that are as they were written and not saved amid updates that were left out;
  /// damaged ones are named on the log.
  std::vector<std::filesystem::path> list_valid() const;

  /// Those of list_valid() that were asked for.
  std::vector<std::filesystem::path> list_averageable() const;

  /// The step in a checkpoint's name.
  static std::int64_t step_of(const std::filesystem::path& checkpoint);

  /// The newest one that is as it was written; none where there are none at all. Newer ones are
  /// named on the log and set aside (damaged-step-...), so that nothing counts them as checkpoints
  /// any more. Throws ModelError that names each damage where none is good.
  std::optional<std::filesystem::path> latest_valid() const;

  /// After a divergence: the newest good one (of a step before `before`, where that is given, or
  /// else the oldest) of those not saved amid updates that were left out; of those that were asked
  /// for, where there are any, as without interruptions. Newer ones are removed: their weights led
  /// there. Nothing where there is none.
  std::optional<std::filesystem::path> go_back(
      std::optional<std::int64_t> before = std::nullopt) const;

  /// Restores what save wrote. Throws ModelError naming the file that is missing or damaged.
  static TrainerState load(const std::filesystem::path& checkpoint, Transformer& network,
                           Optimizer& optimizer);

 private:
  void put_in_place(const std::filesystem::path& checkpoint,
                    const std::function<void(const std::filesystem::path& unfinished)>& fill) const;

  std::filesystem::path folder_;
};

/// The mean of the weights of several checkpoints.
StateDict average_weights(const std::vector<std::filesystem::path>& checkpoints);

}  // namespace tfm
