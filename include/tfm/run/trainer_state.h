// The state of a run beside weights, optimizer and random numbers: a value that a checkpoint holds
// as progress.json. Everything that a run decides follows from its config, this state and an event
// (transitions.h), so a resumed run decides as one that never stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/data/batcher.h"
#include "tfm/run/divergence.h"

namespace tfm {

/// A mean loss per target token, as its two sums.
struct LossMean {
  double sum = 0;
  std::int64_t tokens = 0;

  /// NaN without tokens.
  double mean() const { return sum / static_cast<double>(tokens); }
  bool operator==(const LossMean&) const = default;
};

/// Checksums of what a state refers to; 0 is unknown (a checkpoint of a former version).
struct Fingerprints {
  /// The training text and the settings that decide its batches: a position in the data means
  /// nothing in other data.
  std::uint32_t data = 0;
  /// The validation text and the settings that decide a score: other scores do not compare.
  std::uint32_t metric = 0;

  bool operator==(const Fingerprints&) const = default;
};

struct TrainerState {
  std::int64_t step = 0;  ///< updates done
  DataPosition position{};
  double seconds = 0;  ///< the training time of all sessions
  LossMean epoch{};    ///< since the epoch began
  LossMean report{};   ///< since the last line of the log
  std::optional<double> best_score{};
  std::int64_t best_step = 0;
  /// The validation of the best model, as the event that metrics.jsonl holds; may be empty.
  std::string best_event{};
  std::int64_t validations_without_improvement = 0;
  std::optional<std::int64_t> validated_step{};  ///< the step of the last validation
  std::optional<std::int64_t> averaged_step{};   ///< the end at which the checkpoints were averaged
  std::optional<std::int64_t> unscored_step{};   ///< the last validation without a finite score
  Fingerprints fingerprints{};
  /// The checkpoint was due by the config or the end of training, not by an interruption.
  bool scheduled = true;
  Divergence divergence{};
  /// The length of metrics.jsonl: resuming cuts the file there. Nothing in checkpoints of former
  /// versions.
  std::optional<std::uint64_t> log_bytes{};

  /// The newest checkpoint. It is not part of the file: read_state sets it to the checkpoint read.
  struct Saved {
    std::optional<std::int64_t> step{};
    double seconds = 0;

    bool operator==(const Saved&) const = default;
  };
  Saved saved{};

  bool operator==(const TrainerState&) const = default;
};

/// The text of progress.json.
std::string to_json(const TrainerState& state);

/// Reads a progress.json of this version or a former one. Throws ModelError naming the file.
TrainerState read_state(const std::filesystem::path& file);

}  // namespace tfm
