#include "tfm/training/run.h"

#include <memory>
#include <optional>

#include "auto_fields.h"
#include "session_data.h"
#include "start_checks.h"
#include "tfm/config/config_file.h"
#include "tfm/config/named_files.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/locked_scratch_folder.h"
#include "tfm/core/log.h"
#include "tfm/core/log_file.h"
#include "tfm/data/language_counts.h"
#include "tfm/distributed/process_group.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/run/model_changes.h"
#include "tfm/run/run_folder.h"
#include "tfm/run/run_page_file.h"
#include "tfm/run/transitions.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/tensor/spin_limiter.h"
#include "tfm/training/advice.h"
#include "tfm/training/preflight.h"
#include "tfm/training/run_report.h"
#include "tfm/training/run_summary.h"
#include "tfm/training/trainer.h"
#include "vocabulary.h"
#include "vocabulary_checksums.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Creates the validator on rank 0 and moves the validation data out of `text`. Returns nullopt on
/// other ranks and without validation data.
std::optional<Validator> make_validator(const TranslationModel& model, SessionText& text,
                                        const ProcessGroup& group) {
  std::optional<Validator> validator;
  if (!text.valid || !group.is_main()) return validator;
  validator.emplace(model.config, std::move(*text.valid), model.tokenizers);
  for (auto& [name, set] : text.valid_sets) validator->add(name, std::move(set), model.tokenizers);
  return validator;
}

/// Creates the network. A new run initialises it from the seed or from another model. For a resumed
/// run, the trainer loads the checkpoint later.
void make_network(TranslationModel& model, bool begins) {
  const auto& training = model.config.training;
  seed_everything(static_cast<std::uint64_t>(training.seed));
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  if (begins && !training.init_from.empty()) {
    const auto weights = fs::path(training.init_from) / weights_file;
    load_state_dict(*model.network, read_safetensors(weights).tensors, weights);
    log_info("initialised with the weights of {}", weights.string());
  }
  model.network->to(model.device);
}

/// The log file and the locked run folder of rank 0.
struct Session {
  std::optional<LogFile> log;
  std::optional<RunFolder> run;
};

struct DryRun {
  fs::path run_folder;  // the folder that the run would use
  std::string report;
};

/// Writes config, tokenizers and languages to the folder of a new run. A resumed run loads its
/// tokenizers and writes nothing: its model uses the former config until all checks have succeeded.
void write_description(const RunFolder& run, const SessionText& text, TranslationModel& model) {
  const auto& config = model.config;
  if (run.checkpoint()) {
    model.tokenizers = load_tokenizers(config.tokenizer, run.path());
    const auto expected = read_state(*run.checkpoint() / state_file).vocabulary;
    check_vocabulary(model.tokenizers, expected, run.path(), *run.checkpoint());
    return;
  }
  model.tokenizers = make_vocabulary(model.config, text);
  save_config_and_tokenizers(run.path(), config, model.tokenizers);
  write_language_counts(run.path(), count_languages(config.data));
}

/// Throws if a file that the session would read later is missing, or if several ranks can't read
/// it. Only rank 0 has a run folder in `run`, and reads what begins a new run.
void check_named_files(const Config& config, const std::optional<RunFolder>& run,
                       const ProcessGroup& group) {
  const bool begins = run && !run->checkpoint();
  if (begins && !config.training.init_from.empty()) fit_to_init_from(config);
  const auto files = list_named_files(config, /*resumes=*/!begins);
  require_readable(files);
  require_shareable(files, group.size());
}

/// The paths of a run, known to every rank.
struct RunPaths {
  fs::path folder;
  fs::path checkpoint;            ///< the checkpoint to resume from; empty for a new run
  bool has_fitted_steps = false;  ///< whether tfm determines max_steps
};

/// Sets the tokenizers and the config of the model, and returns the paths of the run. Only rank 0
/// has a run folder in `run`. It writes config and tokenizers; the other ranks read the tokenizers.
RunPaths describe_run(std::optional<RunFolder>& run, const SessionText& text,
                      const ProcessGroup& group, TranslationModel& model) {
  RunPaths paths;
  if (run) {
    model.config = run->config();
    paths = {run->path(), run->checkpoint().value_or("")};
    if (!run->checkpoint() && !model.config.training.init_from.empty())
      model.config = fit_to_init_from(model.config);
    write_description(*run, text, model);
    run->start();
  }
  paths.folder = group.broadcast(paths.folder.string());
  paths.checkpoint = group.broadcast(paths.checkpoint.string());
  paths.has_fitted_steps = group.broadcast(run && run->has_fitted_steps() ? "yes" : "no") == "yes";
  broadcast_auto_fields(model.config, group);
  if (!run) model.tokenizers = load_tokenizers(model.config.tokenizer, paths.folder);
  return paths;
}

/// Returns the result of a run that an earlier session completed; nullopt if the run is not
/// complete.
std::optional<TrainingResult> find_earlier_end(RunFolder& run, const TrainingConfig& config,
                                               const Fingerprints& now) {
  const auto& previous = run.status().previous();
  const bool has_ended = run.checkpoint() && previous && previous->state == "finished" &&
                         fs::exists(run.path() / report_file) &&
                         fs::exists(run.path() / weights_file);
  if (!has_ended) return std::nullopt;
  auto state = read_state(*run.checkpoint() / state_file);
  if (!is_complete(config, state, now)) return std::nullopt;
  return TrainingResult{stop_reason(config, state).value_or(""), std::move(state)};
}

/// Returns the result of a run that an earlier session completed, and records it in status.json;
/// nullopt if the run is not complete. If it is, ranks other than 0 return an empty result.
std::optional<TrainingResult> end_if_complete(std::optional<RunFolder>& run, const RunPaths& paths,
                                              const SessionText& text, const Config& config,
                                              const ProcessGroup& group) {
  if (paths.checkpoint.empty()) return std::nullopt;
  std::optional<TrainingResult> end;
  if (run) end = find_earlier_end(*run, config.training, fingerprints_of(text, config));
  if (group.broadcast(end ? "ended" : "continues") == "continues") return std::nullopt;
  if (!run || !end) return TrainingResult{};
  log_info("the run in {} has ended: {}\n  {}", run->path().string(), end->reason,
           continue_advice(config.training, end->state, paths.has_fitted_steps));
  run->status().finished(end->state, end->reason);
  return end;
}

/// Returns the advice as the last part of a dry run's report.
std::string advice_lines(const std::vector<std::string>& advice) {
  std::string lines = advice.empty() ? "" : "\nadvice\n";
  for (const auto& problem : advice) lines += "  " + problem + "\n";
  return lines;
}

/// Validates the best model, writes report.json and report.html, and logs the summary of the run.
void finish_run(const RunResult& result, const TranslationModel& model,
                const CorpusSummary& corpus_summary, const Validator* validator,
                RunStatus& status) {
  auto best = load_model(result.folder, model.device);
  try {
    const auto scores = write_report_json(result, model, corpus_summary, validator, best);
    write_last_run_page(result.folder);
    status.finished(result.end.state, result.end.reason);
    log_info("{}", summarize_run(model.config, result, scores));
  } catch (const Interrupted&) {
    throw make_interrupted_error("in the last validation", result.folder);
  }
}

/// Runs one session. On rank 0, stores the locked run folder in `session` and opens its log file.
/// If `dry` is not null, makes a dry run instead and stores its report there.
RunResult run_session(const TrainRequest& request, const ProcessGroup& group, Session& session,
                      DryRun* dry) {
  auto& run = session.run;
  TranslationModel model;
  model.config = request.config;
  const auto& config = model.config;
  set_threads(threads_per_rank(group.environment(), config.training.threads));
  const SpinLimiter spin_limiter(thread_count());
  configure_allocator(Workload::training);
  model.device =
      select_device(local_device(group.environment(), config.training.device, gpu_count()));
  training_type(config, model.device);  // throws if the device does not support it
  log_info("{}", describe_runtime(model.device));
  group.check_device(model.device);
  if (group.is_main())
    run.emplace(RunFolder::open(request));  // locked first, because loading data can take minutes
  const bool is_new = run && !run->checkpoint();
  check_named_files(config, run, group);
  auto text = load_text(config, is_new && learns_vocabulary(config));
  const auto paths = describe_run(run, text, group, model);
  if (session.log) session.log->open(paths.folder / train_log_file);
  RunResult result{paths.folder, {}, paths.has_fitted_steps};
  complete_text(text, model, group);
  if (const auto end = end_if_complete(run, paths, text, config, group))
    return {paths.folder, *end, paths.has_fitted_steps};
  TrainingCorpus corpus = make_training_corpus(text, model);
  const CountedCorpus counted(corpus.corpus());
  describe_corpus(corpus.corpus());
  const RunTexts texts(counted, text.valid, text.valid_sets, config.training);
  const auto plan = resolve_auto_fields(model, texts, paths.folder, group, paths.has_fitted_steps);
  // The measurement translated validation lines, to time a validation.
  const bool translated = plan && text.valid;
  const auto fingerprints = fingerprints_of(text, config);
  const auto validation = make_validator(model, text, group);
  const Validator* validator = validation ? &*validation : nullptr;
  if (dry == nullptr && run)
    check_start(model, counted, translated ? nullptr : validator, fingerprints, run->status());
  make_network(model, /*begins=*/paths.checkpoint.empty());
  if (has_tfm_kernels(model.device) && config.model.attention_dropout > 0)
    log_info("model.attention_dropout: training computes padding, too, and is slower");
  log_info("{} parameters, run folder {}", model.network->parameter_count(),
           (dry == nullptr ? result.folder : dry->run_folder).string());

  const auto advice = advise(config, measure_size(model, corpus.corpus(), text.overlap));
  if (dry != nullptr) {
    const auto costs = plan ? std::optional(plan->costs) : std::nullopt;
    dry->report =
        dry_run_report(model, counted, validator, {result.folder, dry->run_folder, costs}) +
        advice_lines(advice);
    return result;
  }
  if (run) {
    check_space(config.training, model.network->parameter_count(), paths.folder);
    write_file(paths.folder / config_file, write_config(config));
    for (const auto& problem : advice) log_warn("{}", problem);
  }
  {
    Trainer trainer(model, corpus, validator, result.folder, group);
    if (run) trainer.set_status(&run->status());
    if (plan) trainer.set_plan(*plan);
    if (group.is_main()) trainer.set_trace(request.trace);
    check_same_on_all_ranks(group, std::to_string(fingerprints.data),
                            "the training data or the way it is batched");
    paths.checkpoint.empty() ? trainer.begin(fingerprints)
                             : trainer.resume(paths.checkpoint, fingerprints);
    trainer.set_fitted_steps(paths.has_fitted_steps);
    result.end = trainer.run();
  }  // frees the optimizer's state before the best model is loaded
  release_cached_memory();
  if (!group.is_main()) return result;
  finish_run(result, model, text.summary, validator, run->status());
  return result;
}

/// Runs one session. If an exception ends it, writes the exception to status.json and the log file.
RunResult run_and_record(const TrainRequest& request, const ProcessGroup& group, DryRun* dry) {
  Session session;
  if (group.is_main()) session.log.emplace();
  try {
    return run_session(request, group, session, dry);
  } catch (const std::exception& error) {
    if (session.run) session.run->record_exception();
    const bool is_error = dynamic_cast<const Interrupted*>(&error) == nullptr;
    write_to_log_file(is_error ? LogLevel::error : LogLevel::warn, error.what());
    throw;
  }
}

}  // namespace

RunResult train(const TrainRequest& request, const RankEnvironment& environment) {
  return train(request, ProcessGroup(environment));
}

RunResult train(const TrainRequest& request, const ProcessGroup& group) {
  return run_and_record(request, group, nullptr);
}

std::string dry_run(const TrainRequest& request) {
  const auto found = RunFolder::would_be(request);
  DryRun dry{.run_folder = found.folder, .report = {}};
  // The temporary folder is on the disk of the run, because the dry run tests the disk's space,
  // speed and permissions.
  const LockedScratchFolder scratch(nearest_existing_folder(dry.run_folder) / "tfm-dry-run");
  TrainRequest trial{.config = found.config, .name = request.name};
  trial.config.training.run_folder = scratch.path() / "run";
  if (found.has_checkpoint) {
    // The model of init_from may have been removed. The run's own model has the same vocabulary and
    // replaces it.
    trial.config.training.init_from =
        fs::exists(dry.run_folder / weights_file) ? dry.run_folder.string() : "";
  }
  try {
    run_and_record(trial, ProcessGroup(), &dry);
  } catch (const Interrupted&) {
    throw Interrupted("interrupted: the dry run has made no run folder");
  }
  return dry.report;
}

}  // namespace tfm
