#include "tfm/training/run.h"

#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "tfm/config/changes.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"
#include "tfm/core/files.h"
#include "tfm/core/log.h"
#include "tfm/data/checksum.h"
#include "tfm/data/training_corpus.h"
#include "tfm/nn/runtime.h"
#include "tfm/training/alignment_choice.h"
#include "tfm/training/preflight.h"
#include "tfm/training/run_page.h"
#include "tfm/training/run_status.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

bool holds_run(const fs::path& folder) { return fs::exists(folder / config_file); }

/// Also by one that is only just beginning.
bool is_taken(const fs::path& folder) { return holds_run(folder) || FileLock::holder(folder / lock_file); }

/// runs/NAME, runs/NAME-2, ...: the first free one for a new run; to resume, the last that has a checkpoint, else the last that is taken.
fs::path numbered_folder(const fs::path& base, bool resume) {
  fs::path candidate = base;
  fs::path taken = base;
  bool resumable = false;
  for (int i = 2; is_taken(candidate); ++i) {
    const bool has_checkpoint = !Checkpoints(candidate).list().empty();
    if (has_checkpoint || !resumable) taken = candidate;
    resumable = resumable || has_checkpoint;
    candidate = base.string() + "-" + std::to_string(i);
  }
  return resume ? taken : candidate;
}

fs::path choose_folder(const RunRequest& request) {
  const auto& named = request.config.training.run_folder;
  if (named.empty()) return numbered_folder(fs::path("runs") / request.name, request.resume);
  FileLock::require_free(fs::path(named) / lock_file);
  if (holds_run(named) && !request.resume) {
    throw ConfigError("training.run_folder", named + " holds a run already", "Go on with it (--resume), name another folder, or remove it.");
  }
  return named;
}

/// Whether a model's weights or tokens depend on the field.
bool shapes_model(const Field& field) {
  const bool part_of_it = field.section == "model" || field.section == "tokenizer" || field.key() == "data.source_eos";
  return part_of_it && field.key().find("dropout") == std::string::npos && field.name != "preset" && field.name != "init";
}

/// Says what changed since the last session; refuses what its weights or its tokens depend on.
void compare_configs(const Config& before, const Config& now, const fs::path& file) {
  const auto fixed = [](const Field& field) { return shapes_model(field) || field.key() == "training.optimizer"; };
  const auto refused = to_table(config_changes(before, now, fixed));
  if (!refused.empty()) throw ConfigError(file.string(), "these can't change in a run that goes on:" + refused, "Set them back, or begin a new run.");
  const auto changed =
      to_table(config_changes(before, now, [&](const Field& field) { return !fixed(field) && field.key() != "training.run_folder"; }));
  if (!changed.empty()) spdlog::info("changed since the last session:{}", changed);
}

/// The model that a new run begins with must be of the same make.
void check_origin(const Config& config) {
  const fs::path folder = config.training.init_from;
  if (!fs::exists(folder / config_file)) throw ConfigError("training.init_from", folder.string() + " is no model folder");
  const auto refused = to_table(config_changes(load_config(folder / config_file), config, shapes_model));
  if (refused.empty()) return;
  throw ConfigError("training.init_from", "the model in " + folder.string() + " is another than the config describes:" + refused,
                    "Set them as the model has them.");
}

ParallelText read_text(const ParallelFiles& files, BadLines bad_lines, const char* what) {
  auto text = read_parallel(files, bad_lines);
  for (const auto& line : describe(text.skipped)) spdlog::warn("{} text: {}", what, line);
  return text;
}

void describe_corpus(const Corpus& corpus) {
  for (const auto& line : describe(corpus.skipped)) spdlog::warn("training text: {}", line);
  spdlog::info("{} training pairs, {} source and {} target tokens", corpus.examples.size(), corpus.source_tokens, corpus.target_tokens);
  const auto share = [](std::int64_t unknown, std::int64_t all) {
    return 100.0 * static_cast<double>(unknown) / static_cast<double>(std::max<std::int64_t>(1, all));
  };
  if (corpus.source_unknown + corpus.target_unknown > 0) {
    spdlog::warn("unknown to the vocabulary: {:.2f}% of the source and {:.2f}% of the target tokens",
                 share(corpus.source_unknown, corpus.source_tokens), share(corpus.target_unknown, corpus.target_tokens));
  }
}

/// What the validation says about the finished model.
void report_validation(ordered_json& report, const Validator& validator, TranslationModel& best) {
  const auto validation = validator.run(best);
  report["validation_text"] = {{"pairs", validator.text().source.size()}, {"crc32", fmt::format("{:08x}", checksum(validator.text()))}};
  report["validation"] = {{"loss", validation.loss}, {"bleu", validation.bleu}, {"chrf", validation.chrf}};
  for (const auto& set : validation.others) {
    report["validation_sets"][set.name] = {{"loss", set.loss}, {"bleu", set.bleu}, {"chrf", set.chrf}};
  }
  spdlog::info("the model (step {}): validation loss {:.4f}, BLEU {:.2f}, chrF2 {:.2f}", report["best_step"].get<std::int64_t>(), validation.loss,
               validation.bleu, validation.chrf);
  const auto choice = choose_alignment_head(best, validator.text(), validator.alignments());
  if (!choice) return;
  report["alignment"] = {{"head", to_string(choice->head)}, {"after_reading", choice->head.after_reading}, {"dice", choice->dice}};
  if (choice->error_rate) report["alignment"]["error_rate"] = *choice->error_rate;
}

void write_report(const RunResult& result, const TranslationModel& model, const ParallelText& text, const Validator* validator,
                  TranslationModel& best) {
  const auto& progress = result.end.progress;
  ordered_json report = {{"tfm", TFM_VERSION},
                         {"libtorch", libtorch_version()},
                         {"finished", result.end.reason},
                         {"steps", progress.step},
                         {"epochs", progress.position.epoch},
                         {"seconds", progress.seconds},
                         {"best_step", progress.best_step},
                         {"parameters", model.network->parameter_count()},
                         {"seed", model.config.training.seed},
                         {"device", model.device.str()},
                         {"training_text", {{"pairs", text.source.size()}, {"crc32", fmt::format("{:08x}", checksum(text))}}}};
  if (validator != nullptr) report_validation(report, *validator, best);
  write_file(result.folder / report_file, report.dump(2) + "\n");
}

/// A new run writes its description before it trains; a resumed one is held against it, and its tokenizers are never written again.
void open_folder(const RunRequest& request, const fs::path& folder, bool resuming, const ParallelText& text, TranslationModel& model) {
  if (resuming) {
    model.tokenizers = load_tokenizers(request.config.tokenizer, folder);
    write_file(folder / config_file, write_config(request.config));
    return;
  }
  const auto& origin = request.config.training.init_from;
  model.tokenizers =
      origin.empty() ? build_tokenizers(request.config.tokenizer, text.source, text.target) : load_tokenizers(request.config.tokenizer, origin);
  save_description(folder, request.config, model.tokenizers);
}

struct Place {
  fs::path folder;
  fs::path checkpoint;  // to go on from; empty: the run begins
};

/// Between the choice of a free folder and its lock another run may have begun and ended there: then a new run needs another.
std::unique_ptr<RunStatus> lock_folder(const RunRequest& request, fs::path& folder) {
  while (true) {
    folder = choose_folder(request);
    auto status = std::make_unique<RunStatus>(folder);
    if (request.resume || !holds_run(folder)) return status;
  }
}

/// The checkpoint to go on from; empty where the run begins, which a trained model without one forbids, unless it died before it wrote its first.
fs::path choose_checkpoint(const fs::path& folder, bool resume, const std::optional<RunState>& before) {
  if (resume) {
    if (auto newest = Checkpoints(folder).newest_good()) return *newest;
    spdlog::info("nothing to resume in {}: beginning", folder.string());
  }
  const bool never_saved = before && before->checkpoint < 0;
  if (fs::exists(folder / weights_file) && !never_saved) {
    throw ConfigError(folder.string(), "holds a trained model but no checkpoint to go on from", "Name another training.run_folder, or remove it.");
  }
  return {};
}

/// Rank 0 chooses and locks the folder and writes what describes the run; the others read it there.
Place take_place(const RunRequest& request, const World& world, const ParallelText& text, TranslationModel& model,
                 std::unique_ptr<RunStatus>& status) {
  Place place;
  if (world.is_first()) {
    status = lock_folder(request, place.folder);
    const bool may_resume = request.resume && !Checkpoints(place.folder).list().empty();
    if (may_resume) compare_configs(load_config(place.folder / config_file), request.config, place.folder / config_file);
    place.checkpoint = choose_checkpoint(place.folder, request.resume, status->before());
    open_folder(request, place.folder, !place.checkpoint.empty(), text, model);
    status->start(place.checkpoint.empty() ? -1 : Checkpoints::step_of(place.checkpoint));
  }
  place.folder = world.broadcast(place.folder.string());
  place.checkpoint = world.broadcast(place.checkpoint.string());
  if (!world.is_first()) model.tokenizers = load_tokenizers(request.config.tokenizer, place.folder);
  return place;
}

/// What a position in the data means depends on the text and on every field that decides which examples a batch holds.
std::uint32_t position_checksum(const ParallelText& text, const Config& config) {
  std::string settings;
  for (const char* key : {"training.batch_type", "training.batch_size", "training.shuffle", "training.seed", "data.source_eos", "data.max_length",
                          "data.fixed_length", "data.long_lines", "data.bad_lines"}) {
    settings += find_field(key)->get(config) + "\n";
  }
  // Only where it is on: a run from before there was sampling goes on where it was.
  if (config.data.resolved_sampling() > 0) settings += "subword sampling " + std::to_string(config.data.resolved_sampling()) + "\n";
  return checksum(text, settings);
}

/// Where a dry run writes; removed with what is in it.
class ScratchFolder {
 public:
  ScratchFolder() : folder_(fs::temp_directory_path() / fmt::format("tfm-dry-run-{}", ::getpid())) { make_folder(folder_); }
  ~ScratchFolder() {
    std::error_code none;
    fs::remove_all(folder_, none);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return folder_; }

 private:
  fs::path folder_;
};

struct DryRun {
  fs::path run_folder;  // where the run would be
  std::string report;
};

/// status: this process's hold on the run folder, made on the way; rank 0's only.
/// dry: nullptr, or receives the report of a rehearsal in place of the training.
RunResult run_session(const RunRequest& request, const World& world, std::unique_ptr<RunStatus>& status, DryRun* dry) {
  const auto& config = request.config;
  const auto files = train_files(config.data);
  if (files.empty()) throw ConfigError("data.train_source", "no training text", "Set data.train_source and data.train_target, or data.train_tsv.");
  set_threads(threads_of_rank(world.environment(), config.training.threads));
  tune_memory();
  TranslationModel model;
  model.config = config;
  model.device = select_device(device_of_rank(world.environment(), config.training.device, gpu_count()));
  spdlog::info("{}", describe_runtime(model.device));

  if (world.is_first()) FileLock::require_free(choose_folder(request) / lock_file);  // before minutes of reading
  auto text = read_text(files, config.data.bad_lines, "training");
  std::optional<ParallelText> valid_text;  // read before the folder is made: a wrong name leaves nothing behind
  if (const auto valid = valid_files(config.data); !valid.empty()) valid_text = read_text(valid, config.data.bad_lines, "validation");
  std::vector<std::pair<std::string, ParallelText>> valid_sets;
  for (const auto& [name, set] : further_valid_files(config.data)) {
    valid_sets.emplace_back(name, read_text(set, config.data.bad_lines, ("validation (" + name + ")").c_str()));
  }
  if (!config.training.init_from.empty()) check_origin(config);
  const auto place = take_place(request, world, text, model, status);
  RunResult result{.folder = place.folder, .end = {}};
  if (config.data.bidirectional) text = both_directions(std::move(text));
  TrainingCorpus corpus(text, model.tokenizers, config.data, static_cast<std::uint64_t>(config.training.seed));
  describe_corpus(corpus.corpus());

  std::optional<Validator> validator;
  if (valid_text && world.is_first()) {
    validator.emplace(model.config, std::move(*valid_text), model.tokenizers);
    for (auto& [name, set] : valid_sets) validator->add(name, std::move(set), model.tokenizers);
  }
  seed_everything(static_cast<std::uint64_t>(config.training.seed));
  model.network = Transformer(config.model, vocab_sizes(model.tokenizers));
  if (place.checkpoint.empty() && !config.training.init_from.empty()) {
    const auto weights = fs::path(config.training.init_from) / weights_file;
    load_parameters(*model.network, read_safetensors(weights).tensors, weights);
    spdlog::info("beginning with the weights of {}", weights.string());
  }
  model.network->to(model.device);
  spdlog::info("{} parameters, run folder {}", model.network->parameter_count(), result.folder.string());

  if (dry != nullptr) {
    dry->report = rehearse(model, corpus.corpus(), validator ? &validator->text() : nullptr, result.folder, dry->run_folder);
    return result;
  }
  if (world.is_first()) check_disk(disk_need(config.training, model.network->parameter_count()), space_for(result.folder), result.folder);
  Trainer trainer(model, corpus, validator ? &*validator : nullptr, result.folder, world);
  trainer.report_to(status.get());
  const auto position = position_checksum(text, config);
  require_same(world, std::to_string(position), "the training text or its division into batches");
  place.checkpoint.empty() ? trainer.begin(position) : trainer.resume(place.checkpoint, position);
  result.end = trainer.run();
  if (!world.is_first()) return result;
  auto best = load_model(result.folder, model.device);
  write_report(result, model, text, validator ? &*validator : nullptr, best);
  write_run_page(result.folder);
  status->finished(result.end.progress, result.end.reason);
  spdlog::info("finished: {} after {}", result.end.reason, format_duration(result.end.progress.seconds));
  return result;
}

/// Whatever ends the session early is told to those who look into the run folder.
RunResult train_or_rehearse(const RunRequest& request, const World& world, DryRun* dry) {
  std::unique_ptr<RunStatus> status;
  try {
    return run_session(request, world, status, dry);
  } catch (...) {
    if (status) status->failed();
    throw;
  }
}

}  // namespace

RunResult train(const RunRequest& request) { return train(request, World()); }

RunResult train(const RunRequest& request, const World& world) { return train_or_rehearse(request, world, nullptr); }

std::string dry_run(const RunRequest& request) {
  DryRun dry{.run_folder = choose_folder(request), .report = {}};
  FileLock::require_free(dry.run_folder / lock_file);
  if (holds_run(dry.run_folder)) compare_configs(load_config(dry.run_folder / config_file), request.config, dry.run_folder / config_file);
  const ScratchFolder scratch;
  auto rehearsal = request;
  rehearsal.config.training.run_folder = scratch.path() / "run";
  rehearsal.resume = false;
  try {
    train_or_rehearse(rehearsal, World(), &dry);
  } catch (const Interrupted&) {
    throw Interrupted("interrupted: the dry run left nothing behind");
  }
  return dry.report;
}

}  // namespace tfm
