#include "tfm/training/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/progress_line.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/checkpoint_contents.h"
#include "vocabulary_checksums.h"

namespace tfm {
namespace {

RunFacts collect_facts(const TranslationModel& model, const Corpus& corpus) {
  return {.tfm = TFM_VERSION,
          .device = model.device.str(),
          .pairs = static_cast<std::int64_t>(corpus.examples.size()),
          .parameters = model.network->parameter_count(),
          .source_vocabulary = model.tokenizers.source->size(),
          .target_vocabulary = model.tokenizers.target->size(),
          .joint_vocabulary = model.tokenizers.is_joint()};
}

}  // namespace

Trainer::Trainer(TranslationModel& model, TrainingCorpus& corpus, const Validator* validator,
                 std::filesystem::path run_folder, const ProcessGroup& group)
    : model_(model),
      config_(model.config),
      corpus_(corpus.corpus()),
      validator_(validator),
      folder_(std::move(run_folder)),
      group_(group),
      training_corpus_(corpus),
      optimizer_(config_.training, *model.network),
      update_step_(model, optimizer_, group),
      checkpoints_(folder_),
      log_(folder_, group.is_main(), collect_facts(model, corpus_)),
      meter_(steady_seconds()),
      comm_meter_(group.size()) {}

void Trainer::begin(const Fingerprints& fingerprints) {
  state_.fingerprints = fingerprints_ = fingerprints;
  state_.vocabulary = vocabulary_checksums(model_.tokenizers);
  make_input({});
  log_.begin();
}

/// Restores weights, optimizer and random generators, and removes later events from metrics.jsonl.
/// Returns the checkpoint's state.
TrainerState Trainer::restore(const std::filesystem::path& checkpoint) {
  auto state = CheckpointStore::load(checkpoint, [&](const std::filesystem::path& folder) {
    read_tensors(folder, model_.network, optimizer_);
  });
  return log_.resume(std::move(state), model_exists());
}

void Trainer::warn_of_changed_data(const Resumed& resumed,
                                   const std::filesystem::path& checkpoint) const {
  if (resumed.data_changed) {
    log_warn("the training data or its batches changed since {}: continuing with a new epoch",
             checkpoint.string());
  }
}

void Trainer::resume(const std::filesystem::path& checkpoint, const Fingerprints& fingerprints) {
  fingerprints_ = fingerprints;
  const auto resumed = tfm::resumed(restore(checkpoint), fingerprints, model_exists());
  state_ = resumed.state;
  state_.vocabulary = vocabulary_checksums(model_.tokenizers);  // unknown in former versions
  warn_of_changed_data(resumed, checkpoint);
  seconds_before_ = state_.seconds;
  if (resumed.metric_changed) {
    log_warn("the validation data or the metric changed since {}: earlier scores no longer count",
             checkpoint.string());
  }
  find_position(resumed);
  if (resumed.model_gone) {
    log_warn("{} is missing: the next validation is the best so far",
             (folder_ / weights_file).string());
  }
  log_info("resuming from {}: step {}, epoch {}", checkpoint.string(), state_.step,
           state_.epoch_number());
}

/// Plans the window in which training continues. If the metric changed, then scores the best model
/// again on rank 0 while the other ranks wait. If a signal interrupts one of them, all ranks stop
/// together, and the next session repeats it.
void Trainer::find_position(const Resumed& resumed) {
  std::array<double, 1> interrupted{};
  try {
    make_input(state_.position);
    if (resumed.metric_changed) rescore_best_model();
  } catch (const Interrupted&) {
    interrupted[0] = 1;
  }
  group_.all_reduce_patient(interrupted);
  if (interrupted[0] > 0) stop_interrupted();
  if (resumed.metric_changed)
    log_.metric_changed(state_, resumed.former_metric, fingerprints_.metric);
}

/// Scores the best model by the new metric, so that later validations can be compared with it.
void Trainer::rescore_best_model() {
  if (validator_ == nullptr || !model_exists()) return;
  log_info("scoring the best model (step {}) by the new metric", state_.best_step);
  try {
    auto kept = load_model(folder_, model_.device);
    const auto validation = validator_->run(kept);
    state_.best_score = finite_score(validation.score(config_.training.best_by));
    log_info("best model (step {}): validation {}", state_.best_step, describe(validation.scores));
    state_.best_event = best_validation_event(state_.best_step, validation);
  } catch (const ModelError& error) {
    // The file is corrupt, or the model computes scores that are not finite.
    log_warn("the best model has no score, so the next validation is the best: {}", error.what());
  }
}

double Trainer::seconds() const { return seconds_before_ + steady_seconds() - session_start_; }

TrainingProgress Trainer::training_progress() const {
  return {.seconds = state_.seconds,
          .steps = static_cast<double>(state_.step),
          .epochs = static_cast<double>(state_.position.epoch) + input_->share_of_epoch()};
}

TrainingResult Trainer::run() {
  const auto& training = config_.training;
  take_batches();  // the time of the run excludes that of its first window's text
  session_start_ = steady_seconds();
  meter_.reset(steady_seconds());
  broadcast_all(group_, model_.network->parameters());
  comm_meter_.begin(group_.comm_stats(), state_.step);
  const bool at_start = training.valid_at_start && state_.step == 0;
  // If the previous session ended during a validation, this validation is still due.
  if (at_start || should_validate(training, state_)) validate_in_loop();
  begin_ = training_progress();
  ProgressLine progress_line;
  for (auto action = next_action(); action != LoopAction::end; action = next_action()) {
    if (action == LoopAction::interrupt) {
      save(SaveReason::unscheduled);
      group_.barrier();  // the launcher may terminate all ranks when one exits
      stop_interrupted();
    }
    const auto before = state_;
    is_traced() ? trace_update() : update();
    if (state_.step <= before.step) continue;  // training rolled back to a checkpoint
    const auto due = decide(training, before, state_);
    // Also shown before a log line, so that the progress line is never older than the log line
    // above it.
    if (group_.is_main() && (progress_line.is_due(steady_seconds()) || due.log_step))
      progress_line.show(describe(state_, step_metrics()));
    if (due.log_step) log_step();
    if (due.log_epoch) log_.epoch(state_);
    if (due.begin_epoch) state_ = epoch_begun(training, state_);
    // Saves before validating, because a job scheduler that sends SIGTERM may not wait for the end
    // of a validation.
    if (due.save) save(SaveReason::scheduled);
    if (due.validate) correct_plan();
    if (due.validate) validate_in_loop();
    if (status_ != nullptr) status_->update(state_);
  }
  progress_line.show("");
  if (!trace_file_.empty())
    log_warn("{} was not written: it is for the update after the first {} of a session",
             trace_file_.string(), updates_before_trace);
  const auto reason = stop_reason(training, state_).value_or("");
  comm_meter_.log_total(group_.comm_stats(), state_.step);
  check_tensors_identical(group_, model_.network->parameters(), "the trained model");
  save(SaveReason::end);
  if (!validate()) stop_interrupted();
  average_and_validate();
  return {reason, state_};
}

void Trainer::stop_interrupted() const {
  throw make_interrupted_error(fmt::format("at step {}", state_.step), folder_);
}

/// Returns the same action on every rank. Rank 0 decides whether training ends; a signal may have
/// reached any rank.
Trainer::LoopAction Trainer::next_action() {
  if (batches_.empty()) take_batches();
  const bool ends = group_.is_main() && stop_reason(config_.training, state_);
  std::array<double, 2> votes{ends ? 1.0 : 0.0, interrupt_requested() ? 1.0 : 0.0};
  group_.all_reduce_patient(votes);
  if (votes[0] > 0) return LoopAction::end;
  return votes[1] > 0 ? LoopAction::interrupt : LoopAction::update;
}

StepMetrics Trainer::step_metrics() const {
  const auto& training = config_.training;
  const TrainingProgress limits{.seconds = 60 * training.max_minutes,
                                .steps = static_cast<double>(training.max_steps),
                                .epochs = static_cast<double>(training.max_epochs)};
  // The loss is NaN if all updates since the previous log line were skipped.
  return {.loss = state_.report.mean(),
          .learning_rate = last_update_.learning_rate,
          .gradient_norm = last_update_.gradient_norm,
          .tokens_per_second = meter_.tokens_per_second(steady_seconds()),
          .eta_seconds = eta_seconds(begin_, training_progress(), limits),
          .communication = std::nullopt,
          .max_steps = training.max_steps,
          .max_epochs = training.max_epochs};
}

void Trainer::log_step() {
  auto metrics = step_metrics();
  if (const auto traffic = comm_meter_.since_last(group_.comm_stats(), state_.step))
    metrics.communication = {traffic->bytes, traffic->wait_seconds};
  log_.step(state_, metrics);
  state_ = step_logged(std::move(state_));
  meter_.reset(steady_seconds());
}

/// Corrects the plan of `max_steps: auto`. Every rank calls this at the same update, before the
/// first validation, whose time is not that of later ones.
void Trainer::correct_plan() {
  auto& training = model_.config.training;
  if (!plan_ || state_.step != training.valid_steps) return;
  std::int64_t steps = training.max_steps;
  if (group_.is_main()) {
    const double update = (state_.seconds - begin_.seconds) /
                          std::max(1.0, static_cast<double>(state_.step) - begin_.steps);
    if (const auto corrected = corrected_steps(*plan_, training, state_.step, update)) {
      steps = *corrected;
      log_info(
          "updates take {:.3g} s, not {:.3g} s as measured before: training.max_steps is now {}",
          update, plan_->costs.update, steps);
    }
  }
  const bool changed = steps != training.max_steps;
  training.max_steps = std::stoll(group_.broadcast(std::to_string(steps)));
  if (changed) write_file(folder_ / config_file, write_config(model_.config));  // only on rank 0
  plan_.reset();
}

/// Validates between two updates. The result is ignored on purpose: a signal stays pending, so
/// next_action() stops all ranks together. If rank 0 threw here instead, the other ranks would wait
/// for it. A resumed run repeats an interrupted validation first.
void Trainer::validate_in_loop() { static_cast<void>(validate()); }

bool Trainer::model_exists() const { return std::filesystem::exists(folder_ / weights_file); }

/// On rank 0, validates the weights and saves the result, unless this step is already validated or
/// the weights may be invalid. Without validation data, writes the weights as the model without a
/// score. The other ranks do nothing. Returns false, without changing the state, if a signal
/// interrupted the validation.
bool Trainer::validate() {
  if (!group_.is_main() || state_.validated_step == state_.step) return true;
  if (weights_may_be_invalid(config_.training, state_, model_exists())) {
    log_warn("step {}: not validated, because the last updates were skipped", state_.step);
    return true;
  }
  if (validator_ == nullptr) {
    const EmaWeightsGuard averaged(optimizer_.average());
    write_model();
    state_ = kept_without_score(std::move(state_));
    save_validation_result();
    return true;
  }
  try {
    score_and_keep();
  } catch (const NonFiniteError& error) {
    log_warn("step {}: no validation: {}", state_.step, error.what());
    state_ = validated(std::move(state_), std::nullopt).state;
  } catch (const Interrupted&) {
    return false;
  } catch (...) {
    save(SaveReason::unscheduled);  // a failed validation must not lose the updates
    throw;
  }
  state_.seconds = seconds();
  save_validation_result();
  meter_.reset(steady_seconds());  // the speed excludes the time of validations
  return true;
}

}  // namespace tfm
