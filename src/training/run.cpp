#include "tfm/training/run.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "tfm/config/config_diff.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/validate.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/data/text_checksum.h"
#include "tfm/data/training_corpus.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/auto_batch_size.h"
#include "tfm/training/preflight.h"
#include "tfm/training/run_folder.h"
#include "tfm/training/run_page.h"
#include "tfm/training/run_report.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

ParallelText read_text(const ParallelFiles& files, BadLines bad_lines, const char* what) {
  auto text = read_parallel(files, bad_lines);
  for (const auto& line : describe(text.skipped)) spdlog::warn("{} text: {}", what, line);
  return text;
}

void describe_corpus(const Corpus& corpus) {
  for (const auto& line : describe(corpus.skipped)) spdlog::warn("training text: {}", line);
  spdlog::info("{} training pairs, {} source and {} target tokens", corpus.examples.size(),
               corpus.source_tokens, corpus.target_tokens);
  const auto share = [](std::int64_t unknown, std::int64_t all) {
    return 100.0 * static_cast<double>(unknown) /
           static_cast<double>(std::max<std::int64_t>(1, all));
  };
  if (corpus.source_unknown + corpus.target_unknown > 0) {
    spdlog::warn(
        "unknown to the vocabulary: {:.2f}% of the source and {:.2f}% of the target tokens",
        share(corpus.source_unknown, corpus.source_tokens),
        share(corpus.target_unknown, corpus.target_tokens));
  }
}

/// What a position in the data means depends on the text and on every field that decides which
/// examples a batch holds.
std::uint32_t position_fingerprint(const ParallelText& text, const Config& config) {
  std::string settings;
  for (const char* key : {"training.batch_type", "training.batch_size", "training.shuffle",
                          "training.seed", "data.source_eos", "data.max_length",
                          "data.fixed_length", "data.long_lines", "data.bad_lines"}) {
    settings += find_field(key)->get(config) + "\n";
  }
  // Only where it is on: a run from before there was sampling goes on where it was.
  if (config.data.resolved_sampling() > 0)
    settings += "subword sampling " + std::to_string(config.data.resolved_sampling()) + "\n";
  return checksum(text, settings);
}

/// Whether a validation's score by training.best_by depends on the field, beside those that every
/// run has in its checksum.
bool affects_metric(const Field& field, BestBy by) {
  // of pairs, and of the parts of a long line
  const bool length = field.key() == "data.max_length" || field.key() == "data.fixed_length";
  if (by == BestBy::loss) return length || field.key() == "data.long_lines";
  constexpr std::array<std::string_view, 5> other{"batch_type", "batch_size", "shortlist", "n_best",
                                                  "alignment_head"};
  return length ||
         (field.section == "decoding" && std::ranges::find(other, field.name) == other.end());
}

/// Which model is best depends on the text that it is validated on and on what is asked of it.
/// Defaults are left out: a run goes on where it was though a later version knows another field.
std::uint32_t metric_fingerprint(const std::optional<ParallelText>& valid, const Config& config) {
  if (!valid) return checksum({}, "no validation text");
  auto settings = find_field("training.best_by")->get(config) + "\n" +
                  find_field("training.valid_sentences")->get(config);
  const auto decides = [&](const Field& field) {
    return affects_metric(field, config.training.best_by);
  };
  for (const auto& change : diff_configs(Config{}, config, decides))
    settings += "\n" + change.key + " " + change.now;
  return checksum(*valid, settings);
}

bool is_auto_batch_size(const TrainingConfig& config) { return config.batch_size == 0; }
bool is_auto_max_steps(const TrainingConfig& config) {
  return config.max_steps == TrainingConfig::automatic_steps;
}

std::int64_t broadcast_value(std::int64_t number, const ProcessGroup& group) {
  return std::stoll(group.broadcast(std::to_string(number)));
}

void broadcast_auto_fields(TrainingConfig& training, const ProcessGroup& group) {
  training.batch_size = broadcast_value(training.batch_size, group);
  training.max_steps = broadcast_value(training.max_steps, group);
}

/// The request with the numbers that an earlier session of the run was fitted to, where the config
/// leaves them to tfm. The same on every rank.
TrainRequest with_fitted_numbers(TrainRequest request, const ProcessGroup& group) {
  auto& training = request.config.training;
  if (!request.resume || (!is_auto_batch_size(training) && !is_auto_max_steps(training)))
    return request;
  if (group.is_main()) {
    const auto file = resolve_run_folder(request) / config_file;
    const auto before = fs::exists(file) ? load_config(file).training : training;
    if (is_auto_batch_size(training) && before.batch_type == training.batch_type)
      training.batch_size = before.batch_size;
    if (is_auto_max_steps(training)) training.max_steps = before.max_steps;
  }
  broadcast_auto_fields(training, group);
  const auto problems = violations(request.config);
  if (!problems.empty())
    throw ConfigError("", problems.front(), "The run was fitted to other numbers before.");
  return request;
}

std::int64_t fit_steps(const TranslationModel& described, const Corpus& corpus) {
  Config config = described.config;
  auto& training = config.training;
  spdlog::info("finding out how many updates {} minutes are enough for", training.max_minutes);
  auto trial = trial_of(described);
  training.max_steps = steps_for_minutes(training.max_minutes, measure_update_time(trial, corpus));
  const auto problems = violations(config);
  if (problems.empty()) return training.max_steps;
  throw ConfigError("training.max_steps",
                    fmt::format("{} minutes are enough for {} updates here", training.max_minutes,
                                training.max_steps),
                    "Too few: " + problems.front() + ".");
}

/// Where the config leaves numbers to tfm: finds them and writes them to the run's config. The same
/// on every rank.
void resolve_auto_fields(TranslationModel& model, const Corpus& corpus, const fs::path& folder,
                         const ProcessGroup& group) {
  auto& training = model.config.training;
  const bool batches = is_auto_batch_size(training);
  const bool steps = is_auto_max_steps(training);
  if (!batches && !steps) return;
  if (group.is_main()) {
    if (batches) {
      spdlog::info("finding out how large a batch fits into memory");
      training.batch_size = find_batch_size(model, corpus, group.environment().local_size);
    }
    if (steps) training.max_steps = fit_steps(model, corpus);
    write_file(folder / config_file, write_config(model.config));
  }
  broadcast_auto_fields(training, group);
  if (batches)
    spdlog::info("training.batch_size: {} {}", training.batch_size,
                 training.batch_type == BatchType::tokens ? "tokens" : "pairs");
  if (steps) spdlog::info("training.max_steps: {}", training.max_steps);
}

struct RunCorpora {
  ParallelText train;
  std::optional<ParallelText> valid;
  std::vector<std::pair<std::string, ParallelText>> valid_sets;
};

/// Before the run's folder is made: a wrong name leaves nothing behind.
RunCorpora load_corpora(const DataConfig& data) {
  const auto files = train_files(data);
  if (files.empty())
    throw ConfigError("data.train_source", "no training text",
                      "Set data.train_source and data.train_target, or data.train_tsv.");
  RunCorpora text;
  text.train = read_text(files, data.bad_lines, "training");
  if (const auto valid = valid_files(data); !valid.empty())
    text.valid = read_text(valid, data.bad_lines, "validation");
  for (const auto& [name, set] : extra_valid_files(data)) {
    text.valid_sets.emplace_back(
        name, read_text(set, data.bad_lines, ("validation (" + name + ")").c_str()));
  }
  return text;
}

/// Of the first rank; it takes the validation text.
std::optional<Validator> make_validator(const TranslationModel& model, RunCorpora& text,
                                        const ProcessGroup& group) {
  std::optional<Validator> validator;
  if (!text.valid || !group.is_main()) return validator;
  validator.emplace(model.config, std::move(*text.valid), model.tokenizers);
  for (auto& [name, set] : text.valid_sets) validator->add(name, std::move(set), model.tokenizers);
  return validator;
}

/// A run that begins starts from the seed, or from another model's weights; one that goes on loads
/// its own later.
void make_network(TranslationModel& model, bool begins) {
  const auto& training = model.config.training;
  seed_everything(static_cast<std::uint64_t>(training.seed));
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  if (begins && !training.init_from.empty()) {
    const auto weights = fs::path(training.init_from) / weights_file;
    load_state_dict(*model.network, read_safetensors(weights).tensors, weights);
    spdlog::info("beginning with the weights of {}", weights.string());
  }
  model.network->to(model.device);
}

struct DryRun {
  fs::path run_folder;  // where the run would be
  std::string report;
};

/// status: this process's hold on the run folder, made on the way; rank 0's only.
/// dry: nullptr, or receives the report of a rehearsal in place of the training.
RunResult run_session(const TrainRequest& asked, const ProcessGroup& group,
                      std::unique_ptr<RunStatus>& status, DryRun* dry) {
  const auto request = with_fitted_numbers(asked, group);
  TranslationModel model;
  model.config = request.config;
  const auto& config = model.config;
  set_threads(threads_per_rank(group.environment(), config.training.threads));
  configure_allocator(Workload::training);
  model.device =
      select_device(local_device(group.environment(), config.training.device, gpu_count()));
  spdlog::info("{}", describe_runtime(model.device));

  // before minutes of reading
  if (group.is_main()) FileLock::require_free(resolve_run_folder(request) / lock_file);
  auto text = load_corpora(config.data);
  if (group.is_main() && !config.training.init_from.empty() && starts_fresh(request))
    check_init_from(config);
  const auto place = take_place(request, group, text.train, model, status);
  RunResult result{.folder = place.folder, .end = {}};
  const CorpusSummary described = summarize(text.train);
  if (config.data.bidirectional) text.train = both_directions(std::move(text.train));
  TrainingCorpus corpus(text.train, model.tokenizers, config.data,
                        static_cast<std::uint64_t>(config.training.seed));
  describe_corpus(corpus.corpus());
  resolve_auto_fields(model, corpus.corpus(), place.folder, group);

  const RunFingerprints checksums{.data = position_fingerprint(text.train, config),
                                  .score = metric_fingerprint(text.valid, config)};
  auto validator = make_validator(model, text, group);
  if (dry == nullptr && group.is_main())
    run_preflight(model, corpus.corpus(), validator ? &*validator : nullptr, place.folder);
  make_network(model, /*begins=*/place.checkpoint.empty());
  spdlog::info("{} parameters, run folder {}", model.network->parameter_count(),
               result.folder.string());

  if (dry != nullptr) {
    dry->report = dry_run_report(model, corpus.corpus(), validator ? &*validator : nullptr,
                                 result.folder, dry->run_folder);
    return result;
  }
  Trainer trainer(model, corpus, validator ? &*validator : nullptr, result.folder, group);
  trainer.set_status(status.get());
  check_same_on_all_ranks(group, std::to_string(checksums.data),
                          "the training text or its division into batches");
  place.checkpoint.empty() ? trainer.begin(checksums) : trainer.resume(place.checkpoint, checksums);
  result.end = trainer.run();
  if (!group.is_main()) return result;
  auto best = load_model(result.folder, model.device);
  try {
    write_report(result, model, described, validator ? &*validator : nullptr, best);
  } catch (const Interrupted&) {
    throw make_interrupted_error("in the last validation", result.folder);
  }
  write_run_page(result.folder);
  status->finished(result.end.progress, result.end.reason);
  spdlog::info("finished: {} after {}", result.end.reason,
               format_duration(result.end.progress.seconds));
  return result;
}

/// Throws nothing: what ended the session is to be told, and the disk may be full.
void record_failure(RunStatus& status) noexcept {
  if (!status.begun()) return;
  status.failed();
  try {
    if (fs::exists(status.folder() / metrics_file)) write_run_page(status.folder());
  } catch (const std::exception& error) {
    spdlog::warn("{} could not be written: {}", page_file, error.what());
  }
}

/// Whatever ends the session early is told to those who look into the run folder.
RunResult train_or_rehearse(const TrainRequest& request, const ProcessGroup& group, DryRun* dry) {
  std::unique_ptr<RunStatus> status;
  try {
    return run_session(request, group, status, dry);
  } catch (...) {
    if (status) record_failure(*status);
    throw;
  }
}

}  // namespace

RunResult train(const TrainRequest& request) { return train(request, ProcessGroup()); }

RunResult train(const TrainRequest& request, const ProcessGroup& group) {
  return train_or_rehearse(request, group, nullptr);
}

std::string dry_run(const TrainRequest& request) {
  DryRun dry{.run_folder = resolve_run_folder(request), .report = {}};
  FileLock::require_free(dry.run_folder / lock_file);
  auto rehearsal = with_fitted_numbers(request, ProcessGroup());
  // On the run's own disk: it has the space and the speed that count, and what forbids to write
  // there must be known now.
  const ScratchFolder scratch(nearest_existing_folder(dry.run_folder) /
                              fmt::format("tfm-dry-run-{}", ::getpid()));
  rehearsal.config.training.run_folder = scratch.path() / "run";
  rehearsal.resume = false;
  if (!starts_fresh(request)) {
    check_resumable(load_config(dry.run_folder / config_file), rehearsal.config,
                    dry.run_folder / config_file);
    // What the run began with is not needed any more: its own model has its vocabulary.
    rehearsal.config.training.init_from =
        fs::exists(dry.run_folder / weights_file) ? dry.run_folder.string() : "";
  }
  try {
    train_or_rehearse(rehearsal, ProcessGroup(), &dry);
  } catch (const Interrupted&) {
    throw Interrupted("interrupted: the dry run left nothing behind");
  }
  return dry.report;
}

}  // namespace tfm
