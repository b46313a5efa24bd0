// Checks before a long run that the disk has space for checkpoints and that the longest batch fits
// into memory, so that it does not fail for these reasons hours later. Every session starts with
// short checks (src/training/start_checks.h). A dry run (`tfm train --dry-run`) also saves and
// loads a checkpoint, and measures time and memory. It leaves no files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/data/length_counts.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/time_plan.h"
#include "tfm/training/update_batches.h"
#include "tfm/training/validator.h"

namespace tfm {

/// The disk space that a run needs, in bytes.
struct DiskUsage {
  double model = 0;              ///< the size of the model's weights file
  double checkpoint = 0;         ///< the size of a checkpoint: weights and optimizer state
  std::int64_t checkpoints = 0;  ///< the largest number of checkpoints at any time

  double all() const { return model + checkpoint * static_cast<double>(checkpoints); }
};

/// Estimates the disk usage of a run from the number of the model's parameters.
DiskUsage estimate_disk_usage(const TrainingConfig& config, std::int64_t parameters);

/// Returns the run folder if it exists, otherwise the nearest existing folder above it.
std::filesystem::path nearest_existing_folder(const std::filesystem::path& run_folder);

/// Returns the free space in bytes on the disk of the run folder, plus the size of the folder's
/// checkpoints, because the run will replace them.
double free_space(const std::filesystem::path& run_folder);

/// Warns if `space`, in bytes, is not enough for the model and all checkpoints. Throws ModelError
/// if it is not enough for the model and one checkpoint, because training could not be saved.
void check_disk(const DiskUsage& need, double space, const std::filesystem::path& run_folder);

/// Returns a text histogram of the number of tokens on the longer side of each sentence pair. Each
/// line counts the pairs in one range of lengths: 1-4, 5-8, 9-16, 17-32 and so on. Empty ranges are
/// left out.
std::string length_histogram(const CountedCorpus& corpus);

/// Returns the number of batches of the whole corpus. It is only approximate if training.shuffle is
/// off, if the corpus has several windows, or if subword sampling changes the lengths of examples.
std::int64_t batch_count(const CountedCorpus& corpus, const Config& config);

/// Returns the number of batches of the first `epochs` epochs, to the same accuracy.
std::int64_t count_batches(const CountedCorpus& corpus, const Config& config, std::int64_t epochs);

/// Returns the number of updates until max_steps or max_epochs, whichever comes first; nullopt if
/// neither is set. An update takes accum_count batches for each of the `ranks`.
std::optional<std::int64_t> planned_updates(const CountedCorpus& corpus, const Config& config,
                                            std::int64_t ranks);

/// Returns a copy of the model with a newly initialised network.
TranslationModel make_trial_model(const TranslationModel& model_spec);

/// Trains a new network on the longest batch once, and translates the first validation line.
/// Returns whether the batch fits into memory without being split, and logs a warning if it does
/// not. Throws the errors that the run would throw at these steps, and Interrupted after a signal.
/// Writes no files. `valid` is null if nothing is to be translated.
bool run_preflight(const TranslationModel& model_spec, const CountedCorpus& corpus,
                   const Validator* valid);

/// Times several updates, for at least `seconds`, and returns the median in seconds. Changes the
/// network's weights. Throws Interrupted after a signal.
double measure_update_time(TranslationModel& model, const Corpus& corpus, double seconds = 0);

/// Returns an estimate of one validation's time in seconds, from a translation of some of the lines
/// by an untrained model whose translations are as long as their source lines. `loss_seconds` is
/// the time of one pair's loss.
double estimate_validation_time(TranslationModel& model, const ParallelText& valid,
                                std::int64_t lines, double loss_seconds);

/// Returns an estimate of the time in seconds that writing a checkpoint takes. Writes the weights
/// to a temporary folder beside `scratch`, and removes it.
double estimate_checkpoint_time(const TranslationModel& model,
                                const std::filesystem::path& scratch);

/// What a dry run works with, besides the model and the corpus.
struct DryRunPlaces {
  std::filesystem::path scratch;     ///< the folder that files are written to
  std::filesystem::path run_folder;  ///< the folder that the run would use
  /// The costs that determined the number of updates. The report uses them instead of others, so
  /// that it agrees with that number.
  std::optional<TimeCosts> costs;
};

/// Trains on the longest batch and on some others, saves and loads a checkpoint and translates.
/// Returns a report of the time, memory and disk space needed. Changes the network's weights.
/// `valid` is null if there is no validation data.
std::string dry_run_report(TranslationModel& model, const CountedCorpus& corpus,
                           const Validator* valid, const DryRunPlaces& places);

}  // namespace tfm
