// Checks before a long run: whether the disk has space for its checkpoints, whether the longest
// batch fits into memory, how long the run will take. Every start tries what could otherwise fail
// hours later. A dry run (`tfm train --dry-run`) also measures, and leaves no folder behind.
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

/// The disk space that a run needs, in bytes.
struct DiskUsage {
  double model = 0;              ///< the weights alone
  double checkpoint = 0;         ///< with the optimizer's state
  std::int64_t checkpoints = 0;  ///< the largest number that exists at once

  double all() const { return model + checkpoint * static_cast<double>(checkpoints); }
};

DiskUsage estimate_disk_usage(const TrainingConfig& config, std::int64_t parameters);

/// Returns the run folder, or the nearest existing folder above it.
std::filesystem::path nearest_existing_folder(const std::filesystem::path& run_folder);

/// Returns the free space in bytes on the disk of the folder, plus the space of its checkpoints,
/// because a run replaces them.
double free_space(const std::filesystem::path& run_folder);

/// Warns if there is not enough space for all checkpoints. Throws ModelError if there is not enough
/// for one, because nothing could be saved.
void check_disk(const DiskUsage& need, double space, const std::filesystem::path& run_folder);

/// Returns how many pairs have how many tokens on their longer side, in classes of doubling width,
/// one line per class.
std::string length_histogram(const Corpus& corpus);

/// Returns the largest batch that can occur: the longest examples, as many as fit into one batch.
BatchIndices longest_batch(const Corpus& corpus, const BatcherOptions& options);

/// Returns the number of batches of an epoch, exactly or up to two too few.
std::int64_t batch_count(const Corpus& corpus, const Config& config);

/// Returns the number of updates until the nearest of max_steps and max_epochs; nullopt if neither
/// is set.
std::optional<std::int64_t> planned_updates(const Corpus& corpus, const Config& config);

/// Returns the same model with a new network.
TranslationModel make_trial_model(const TranslationModel& model_spec);

/// Tries at every start what could fail hours later. Checks the disk. Then it trains a new network
/// on the longest batch, translates some validation lines, writes a checkpoint and reads it back,
/// in a folder of the run that is removed afterwards. Throws the errors that the run would throw.
/// valid is nullptr if there is no validation data.
void run_preflight(const TranslationModel& model_spec, const Corpus& corpus, const Validator* valid,
                   const std::filesystem::path& run_folder);

/// Returns the seconds of a typical update: the median of some updates. The network's weights
/// change.
double measure_update_time(TranslationModel& model, const Corpus& corpus);

/// Returns how many updates fit into nine tenths of the minutes, at least one. The last tenth is
/// for validations, checkpoints and slower moments of the machine.
std::int64_t steps_for_minutes(double minutes, double update_seconds);

/// Trains on the longest batch, then on some others, saves and loads a checkpoint, translates, and
/// returns a report of what each step took. The network's weights change. valid is nullptr without
/// validation data. scratch is a folder to write to; run_folder is the folder that the run would
/// have.
std::string dry_run_report(TranslationModel& model, const Corpus& corpus, const Validator* valid,
                           const std::filesystem::path& scratch,
                           const std::filesystem::path& run_folder);

}  // namespace tfm
