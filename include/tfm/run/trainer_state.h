// Defines the state of a run except weights, optimizer and random generators. Checkpoints store it
// as progress.json. Every decision of a run follows from its config, this state and an event
// (transitions.h), so a resumed run decides as if it had never stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/data/batcher.h"
#include "tfm/run/divergence.h"

namespace tfm {

/// A mean loss per target token, stored as numerator and denominator.
struct LossMean {
  double sum = 0;
  std::int64_t tokens = 0;

  /// Returns the mean; NaN if there are no tokens.
  double mean() const { return sum / static_cast<double>(tokens); }
  bool operator==(const LossMean&) const = default;
};

/// CRC-32 checksums of the data and of the metric that a state refers to.
struct Fingerprints {
  /// The checksum of the training data and of the settings that determine the batches. A saved
  /// position in the data is valid only if this checksum is unchanged.
  std::uint32_t data = 0;
  /// The checksum of the validation data and of the settings that determine a score. Two scores can
  /// be compared only if this checksum is the same for both. 0 means that it is unknown, as in
  /// checkpoints that former versions wrote.
  std::uint32_t metric = 0;

  bool operator==(const Fingerprints&) const = default;
};

/// The checksums of the tokenizers of both sides (Tokenizer::encoding_checksum). 0 means that a
/// checksum is unknown, as in checkpoints of former versions.
struct VocabularyChecksums {
  std::uint32_t source = 0;
  std::uint32_t target = 0;

  bool operator==(const VocabularyChecksums&) const = default;
};

struct TrainerState {
  std::int64_t step = 0;  ///< the number of updates so far, including skipped ones
  DataPosition position{};
  double seconds = 0;  ///< the training time of all sessions
  LossMean epoch{};    ///< the loss since the epoch began
  LossMean report{};   ///< the loss since the last log line
  std::optional<double> best_score{};
  std::int64_t best_step = 0;
  /// The validation event of the best model, as in metrics.jsonl; empty if there is none.
  std::string best_event{};
  std::int64_t validations_without_improvement = 0;
  std::optional<std::int64_t> validated_step{};  ///< the last validated step
  /// The last step at which the checkpoints were averaged, or were too few to be averaged.
  std::optional<std::int64_t> averaged_step{};
  std::optional<std::int64_t> unscored_step{};  ///< the last step whose validation gave no score
  Fingerprints fingerprints{};
  VocabularyChecksums vocabulary{};
  /// Whether the config or the end of training required the checkpoint, and not only an
  /// interruption or an error. Always false if the last update before the checkpoint was skipped,
  /// or if the validation of its weights gave no score.
  bool scheduled = true;
  Divergence divergence{};
  bool has_fitted_steps = false;  ///< whether `max_steps: auto` determined the number of updates
  /// The length of metrics.jsonl in bytes, to which resuming truncates the file. nullopt in
  /// checkpoints of former versions, and while a validation in the file is being replaced.
  std::optional<std::uint64_t> log_bytes{};

  /// The step of the newest checkpoint (nullopt if there is none) and the training time when it was
  /// saved. progress.json does not contain them; read_state sets them to the step and the time of
  /// the checkpoint that it reads.
  struct Saved {
    std::optional<std::int64_t> step{};
    double seconds = 0;

    bool operator==(const Saved&) const = default;
  };
  Saved saved{};

  /// Returns the number, counted from 1, of the epoch that contains the last update. Logs,
  /// metrics.jsonl and status.json show this number.
  std::int64_t epoch_number() const {
    const bool ended = position.begins_epoch() && position.epoch > 0;
    return ended ? position.epoch : position.epoch + 1;
  }

  bool operator==(const TrainerState&) const = default;
};

/// Returns the text of progress.json.
std::string to_json(const TrainerState& state);

/// Reads a progress.json that this version or a former one wrote. Throws ModelError with the file's
/// name if it is not valid.
TrainerState read_state(const std::filesystem::path& file);

}  // namespace tfm
