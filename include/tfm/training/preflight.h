// What is worth knowing before a long run: whether the disk holds its checkpoints, whether the
// longest batch fits into memory, how long all will take. Every start tries what could fail hours
// later; a dry run (`tfm train --dry-run`) also measures, and does all in a folder that goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
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

/// The examples that would make the largest batch: the longest ones, as many as a batch holds.
std::vector<std::int64_t> longest_batch(const Corpus& corpus, const Config& config);

/// A corpus of these.
Corpus only_longest_batch(const Corpus& corpus, const Config& config);

/// Batches of an epoch, or one or two fewer.
std::int64_t batch_count(const Corpus& corpus, const Config& config);

/// Updates until the nearest of max_steps and max_epochs; nothing where neither is set.
std::optional<std::int64_t> planned_updates(const Corpus& corpus, const Config& config);

/// To try updates with: at a constant rate, as the end of the schedule may not be known yet, and
/// whatever they lead to.
Config trial_of(Config config);

/// The model so configured, with a new network.
TranslationModel trial_of(const TranslationModel& described);

/// At every start: checks the disk; then, in a folder of the run that goes, trains on the longest
/// batch, translates some validation lines, writes a checkpoint and reads it back. Throws what the
/// run would have failed with. valid: nullptr where there is no validation text.
void run_preflight(const TranslationModel& described, const Corpus& corpus, const Validator* valid,
                   const std::filesystem::path& run_folder);

/// Seconds of an update on a batch like most: the median of some. The model is spoilt thereafter.
double measure_update_time(TranslationModel& model, const Corpus& corpus);

/// The updates that nine tenths of so many minutes are enough for, at least one: the last tenth is
/// for validations, checkpoints and the machine's slower moments.
std::int64_t steps_for_minutes(double minutes, double update_seconds);

/// Trains on the longest batch, then on some of the others, saves and loads a checkpoint,
/// translates; says what it took. The model is spoilt thereafter. valid: nullptr where there is no
/// validation text. scratch: a folder to write to. run_folder: where the run would be.
std::string dry_run_report(TranslationModel& model, const Corpus& corpus, const Validator* valid,
                           const std::filesystem::path& scratch,
                           const std::filesystem::path& run_folder);

}  // namespace tfm
