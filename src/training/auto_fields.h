// When a run starts, replaces `auto` in fields of its config by numbers, and makes them the same on
// every rank.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/data/length_counts.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/time_plan.h"

namespace tfm {

/// Returns the number that replaces `tokenizer.vocab_size: auto`, for a text of that many bytes. If
/// the run will learn subwords, this is the number that `tfm config init` would choose. Otherwise,
/// it is the field's default. Throws ConfigError if the text is too small to learn subwords from.
std::int64_t automatic_vocab_size(const TokenizerConfig& config, std::int64_t bytes);

/// Copies rank 0's values of the fields that can be `auto` to the config of every rank.
void broadcast_auto_fields(Config& config, const ProcessGroup& group);

/// The texts that a run trains and validates on.
struct RunTexts {
  /// The texts must outlive this object. `others` are those of data.valid_sets.
  RunTexts(const CountedCorpus& corpus, const std::optional<ParallelText>& valid,
           const std::vector<std::pair<std::string, ParallelText>>& others,
           const TrainingConfig& config);

  const CountedCorpus& corpus;
  const ParallelText* valid = nullptr;  ///< the first validation set; null without one
  std::int64_t valid_lines = 0;         ///< the number of lines that a validation translates
};

/// Determines training.batch_size and training.max_steps if they are `auto`. Writes a temporary
/// file to `run_folder` to time a checkpoint. With max_steps, valid_steps and warmup_steps are
/// determined too if they have their defaults. With `has_fitted_steps`, an earlier session may have
/// determined max_steps; then it is only limited to max_epochs. The result is the same on every
/// rank. If this session determined max_steps, returns its measurements, which only rank 0 has.
/// Throws Interrupted if a signal arrives while updates are timed.
std::optional<MeasuredPlan> resolve_auto_fields(TranslationModel& model, const RunTexts& texts,
                                                const std::filesystem::path& run_folder,
                                                const ProcessGroup& group, bool has_fitted_steps);

}  // namespace tfm
