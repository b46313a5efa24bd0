// What a user should know before a long run: whether the disk holds its checkpoints, whether the
// longest batch fits into memory, how long the run will take. Every start tries what could fail
// hours later; a dry run (`tfm train --dry-run`) also measures, and leaves no folder behind.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/update_batches.h"
#include "tfm/training/validator.h"

namespace tfm {

/// Bytes.
struct DiskUsage {
  double model = 0;              ///< the weights alone
  double checkpoint = 0;         ///< with the optimizer's state
  std::int64_t checkpoints = 0;  ///< at once, at most

  double all() const { return model + checkpoint * static_cast<double>(checkpoints); }
};

DiskUsage estimate_disk_usage(const TrainingConfig& config, std::int64_t parameters);

/// The run folder, or where there is none yet the nearest folder above it that there is.
std::filesystem::path nearest_existing_folder(const std::filesystem::path& run_folder);

/// Free space where the folder is or will be, with what its checkpoints take already, as a run
/// replaces them. Bytes.
double free_space(const std::filesystem::path& run_folder);

/// Warns where not all checkpoints will fit. Throws ModelError where not even one does, and nothing
/// could be saved.
void check_disk(const DiskUsage& need, double space, const std::filesystem::path& run_folder);

/// How many pairs have how many tokens on their longer side, in classes of doubling width: a line
/// each.
std::string length_histogram(const Corpus& corpus);

/// The largest batch that can occur: the longest examples, as many as one batch holds.
BatchIndices longest_batch(const Corpus& corpus, const BatcherOptions& options);

/// Batches of an epoch, or one or two fewer.
std::int64_t batch_count(const Corpus& corpus, const Config& config);

/// Updates until the nearest of max_steps and max_epochs; nothing where neither is set.
std::optional<std::int64_t> planned_updates(const Corpus& corpus, const Config& config);

/// The same model with a new network.
TranslationModel make_trial_model(const TranslationModel& model_spec);

/// Tries at every start what could fail hours later. Checks the disk; then trains a new network on
/// the longest batch, translates some validation lines, writes a checkpoint and reads it back, all
/// in a folder of the run that is removed afterwards. Throws what the run would have failed with.
/// valid: nullptr if there is no validation text.
void run_preflight(const TranslationModel& model_spec, const Corpus& corpus, const Validator* valid,
                   const std::filesystem::path& run_folder);

/// Returns the seconds of a typical update: the median of some. The network's weights change.
double measure_update_time(TranslationModel& model, const Corpus& corpus);

/// Returns how many updates fit into nine tenths of the minutes, at least one. The last tenth is
/// for validations, checkpoints and the machine's slower moments.
std::int64_t steps_for_minutes(double minutes, double update_seconds);

/// Trains on the longest batch, then on some of the others, saves and loads a checkpoint,
/// translates, and returns the report of what each took. The network's weights change. valid:
/// nullptr if there is no validation text. scratch: a folder to write to. run_folder: the folder
/// that the run would have.
std::string dry_run_report(TranslationModel& model, const Corpus& corpus, const Validator* valid,
                           const std::filesystem::path& scratch,
                           const std::filesystem::path& run_folder);

}  // namespace tfm
