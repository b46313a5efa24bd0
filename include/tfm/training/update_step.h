// Makes one update: computes the loss of the batches, sums gradients over batches and ranks, clips
// them and updates the weights. The loss is the mean over the target tokens of all batches
// together. A batch that does not fit into memory is split (micro_batches.h). An update whose loss
// or gradient is not finite leaves weights and optimizer unchanged. Training, preflight and auto
// batch size share this class, each with its own network and optimizer. The class therefore
// does not depend on folders, logs, validation or the data position.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/distributed/gradient_reducer.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/batch.h"
#include "tfm/model/model_folder.h"
#include "tfm/optim/optimizer.h"
#include "tfm/training/update_batches.h"

namespace tfm {

/// Returns the data type of matrix multiplications in training. Throws ConfigError if the device
/// does not support training.precision.
torch::ScalarType training_type(const Config& config, torch::Device device);

class UpdateStep {
 public:
  /// The result of an update. All ranks get the same values, except in the last two fields.
  struct Done {
    double loss = 0;                 ///< loss, summed over the target tokens of all ranks
    std::int64_t target_tokens = 0;  ///< target tokens of all ranks, without padding
    std::int64_t tokens = 0;         ///< source and target tokens of all ranks, without padding
    double gradient_norm = 0;        ///< norm of the whole gradient before clipping
    double learning_rate = 0;
    bool split = false;  ///< whether this rank split a batch to fit it into memory
    /// The lines of this rank's batches that may have caused a loss or gradient that is not finite.
    /// Empty if another rank's batches caused it, or if the update is finite.
    std::string non_finite_lines;
    /// whether the gradient was too large for fp16, and the next one will have a smaller loss scale
    bool overflowed = false;
    double loss_scale = 1;  ///< the loss scale of the next update; 1 unless training is in fp16

    /// Returns whether loss and gradient are finite, so that the weights were updated.
    bool finite() const { return std::isfinite(gradient_norm) && std::isfinite(loss); }
    /// Returns whether the update was skipped because of the weights or the data.
    bool diverged() const { return !finite() && !overflowed; }
  };

  /// Puts the network into training mode. The optimizer must belong to the model's network. All
  /// arguments must outlive this object. Throws ConfigError if the device does not support
  /// training.precision.
  UpdateStep(TranslationModel& model, Optimizer& optimizer, const ProcessGroup& group);

  /// Converts batches of the corpus to tensors on the CPU, from which run copies to the device.
  /// Another thread may do so during run.
  std::vector<Batch> collate(std::span<const BatchIndices> batches, const Corpus& corpus) const;

  /// Makes one update with this rank's batches, from collate. All ranks must call it together.
  /// Ranks other than 0 seed their random generators from updates_before, the number of earlier
  /// updates. Throws ModelError if a single sentence pair does not fit into memory or gradients
  /// overflow in fp16 (loss_scale.h), and CommunicationError if a rank is lost.
  Done run(const std::vector<Batch>& batches, double learning_rate, std::int64_t updates_before);
  /// Collates the batches and makes one update with them.
  Done run(std::span<const BatchIndices> batches, const Corpus& corpus, double learning_rate,
           std::int64_t updates_before) {
    return run(collate(batches, corpus), learning_rate, updates_before);
  }

 private:
  /// The batches of a backward pass, and the loss of each, a scalar on the device.
  struct Pass {
    std::vector<Batch> parts;
    std::vector<torch::Tensor> losses;
  };
  Pass backward(const std::vector<Batch>& batches, double target_tokens);
  void read_loss_and_norm(const Pass& pass, Done& done) const;
  Pass backward_micro_batches(const std::vector<Batch>& parts, std::size_t& at,
                              double target_tokens);
  void adjust_loss_scale(Done& done);

  TranslationModel& model_;
  Optimizer& optimizer_;
  const ProcessGroup& group_;
  GradientReducer reducer_;
  CollateOptions format_;
  torch::ScalarType type_;  // of matrix multiplications
};

/// Returns the log message about an update without a finite loss or gradient. `step` is the number
/// of the update; `in_a_row` counts the consecutive skipped updates, including this one.
std::string describe_skipped(const UpdateStep::Done& done, std::int64_t step,
                             std::int64_t in_a_row);

/// Returns the log message about an update that was skipped because it overflowed.
std::string describe_overflow(const UpdateStep::Done& done, std::int64_t step);

}  // namespace tfm
