#include "tfm/training/run_folder.h"

#include <optional>

#include "tfm/config/config_diff.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/training/checkpoint.h"
#include "tfm/training/run_page.h"

namespace tfm {

namespace fs = std::filesystem;

namespace {

/// Also by one that is only just beginning; and to those who look for a run to go on with, by a
/// start that failed.
bool is_in_use(const fs::path& folder, bool resume) {
  return (resume && fs::exists(folder / config_file)) || contains_run(folder) ||
         FileLock::holder(folder / lock_file);
}

/// runs/NAME, runs/NAME-2, ...: the first free one for a new run; to resume, the last that has a
/// checkpoint, else the last that is taken.
fs::path numbered_run_folder(const fs::path& base, bool resume) {
  fs::path candidate = base;
  fs::path taken = base;
  bool resumable = false;
  for (int i = 2; is_in_use(candidate, resume); ++i) {
    const bool has_checkpoint = !Checkpoints(candidate).list().empty();
    if (has_checkpoint || !resumable) taken = candidate;
    resumable = resumable || has_checkpoint;
    candidate = base.string() + "-" + std::to_string(i);
  }
  return resume ? taken : candidate;
}

/// A new run writes its description before it trains; a resumed one is held against it, and its
/// tokenizers are never written again.
void write_description(const TrainRequest& request, const fs::path& folder, bool resuming,
                       const ParallelText& text, TranslationModel& model) {
  if (resuming) {
    model.tokenizers = load_tokenizers(request.config.tokenizer, folder);
    write_file(folder / config_file, write_config(request.config));
    return;
  }
  const auto& origin = request.config.training.init_from;
  model.tokenizers = origin.empty()
                         ? build_tokenizers(request.config.tokenizer, text.source, text.target)
                         : load_tokenizers(request.config.tokenizer, origin);
  save_config_and_tokenizers(folder, request.config, model.tokenizers);
}

/// Between the choice of a free folder and its lock another run may have begun and ended there:
/// then a new run needs another.
std::unique_ptr<RunStatus> lock_folder(const TrainRequest& request, fs::path& folder) {
  while (true) {
    folder = resolve_run_folder(request);
    auto status = std::make_unique<RunStatus>(folder);
    if (request.resume || !contains_run(folder)) return status;
  }
}

/// The checkpoint to go on from; empty where the run begins, which a trained model without one
/// forbids, unless it died before it wrote its first.
fs::path choose_checkpoint(const fs::path& folder, bool resume,
                           const std::optional<RunState>& before) {
  if (resume) {
    if (auto newest = Checkpoints(folder).latest_valid()) return *newest;
    spdlog::info("nothing to resume in {}: beginning", folder.string());
  }
  const bool never_saved = before && before->checkpoint < 0;
  if (fs::exists(folder / weights_file) && !never_saved) {
    throw ConfigError(folder.string(), "holds a trained model but no checkpoint to go on from",
                      "Name another training.run_folder, or remove it.");
  }
  return {};
}

}  // namespace

bool shapes_model(const Field& field) {
  const bool part_of_it =
      field.section == "model" || field.section == "tokenizer" || field.key() == "data.source_eos";
  return part_of_it && field.key().find("dropout") == std::string::npos && field.name != "preset" &&
         field.name != "init";
}

bool contains_run(const fs::path& folder) {
  const bool begun = fs::exists(folder / metrics_file) || fs::exists(folder / weights_file) ||
                     !Checkpoints(folder).list().empty();
  // else somebody wrote the config, which is not ours to replace
  const bool of_a_start = fs::exists(folder / lock_file);
  return (begun || !of_a_start) && fs::exists(folder / config_file);
}

bool starts_fresh(const TrainRequest& request) {
  return !request.resume || Checkpoints(resolve_run_folder(request)).list().empty();
}

fs::path resolve_run_folder(const TrainRequest& request) {
  const auto& named = request.config.training.run_folder;
  if (named.empty()) return numbered_run_folder(fs::path("runs") / request.name, request.resume);
  FileLock::require_free(fs::path(named) / lock_file);
  if (contains_run(named) && !request.resume) {
    throw ConfigError("training.run_folder", named + " holds a run already",
                      "Go on with it (--resume), name another folder, or remove it.");
  }
  return named;
}

void check_resumable(const Config& before, const Config& now, const fs::path& file) {
  const auto fixed = [](const Field& field) {
    return shapes_model(field) || field.key() == "training.optimizer";
  };
  const auto refused = to_table(diff_configs(before, now, fixed));
  if (!refused.empty())
    throw ConfigError(file.string(), "these can't change in a run that goes on:" + refused,
                      "Set them back, or begin a new run.");
  const auto changed = to_table(diff_configs(before, now, [&](const Field& field) {
    return !fixed(field) && field.key() != "training.run_folder";
  }));
  if (!changed.empty()) spdlog::info("changed since the last session:{}", changed);
}

void check_init_from(const Config& config) {
  const fs::path folder = config.training.init_from;
  for (const char* file : {config_file, weights_file}) {
    if (!fs::exists(folder / file))
      throw ConfigError("training.init_from",
                        fmt::format("{} is no model folder: it has no {}", folder.string(), file));
  }
  const auto refused =
      to_table(diff_configs(load_config(folder / config_file), config, shapes_model));
  if (refused.empty()) return;
  throw ConfigError(
      "training.init_from",
      "the model in " + folder.string() + " is another than the config describes:" + refused,
      "Set them as the model has them.");
}

RunFolder take_place(const TrainRequest& request, const ProcessGroup& group,
                     const ParallelText& text, TranslationModel& model,
                     std::unique_ptr<RunStatus>& status) {
  RunFolder place;
  if (group.is_main()) {
    status = lock_folder(request, place.folder);
    Checkpoints(place.folder).recover();
    const bool may_resume = request.resume && !Checkpoints(place.folder).list().empty();
    if (may_resume)
      check_resumable(load_config(place.folder / config_file), request.config,
                      place.folder / config_file);
    place.checkpoint = choose_checkpoint(place.folder, request.resume, status->before());
    write_description(request, place.folder, !place.checkpoint.empty(), text, model);
    status->start(place.checkpoint.empty() ? -1 : Checkpoints::step_of(place.checkpoint));
  }
  place.folder = group.broadcast(place.folder.string());
  place.checkpoint = group.broadcast(place.checkpoint.string());
  if (!group.is_main()) model.tokenizers = load_tokenizers(request.config.tokenizer, place.folder);
  return place;
}

}  // namespace tfm
