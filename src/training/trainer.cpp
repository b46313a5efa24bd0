#include "tfm/training/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/progress_line.h"
#include "tfm/losses/objective.h"
#include "tfm/model/batch.h"
#include "tfm/optim/schedule.h"
#include "tfm/tensor/autocast.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/micro_batches.h"

namespace tfm {
namespace {

BatcherOptions batcher_options(const Config& config) {
  const auto& training = config.training;
  return {.type = training.batch_type,
          .size = training.batch_size,
          .fixed_length = config.data.fixed_length,
          .shuffle = training.shuffle,
          .seed = static_cast<std::uint64_t>(training.seed)};
}

/// Dropout's seed of another rank than 0: its own, and the same again when a run goes on (a
/// checkpoint holds rank 0's random generator only).
std::uint64_t seed_of(const TrainingConfig& training, int rank, std::int64_t step) {
  std::seed_seq mixed{static_cast<std::uint64_t>(training.seed), static_cast<std::uint64_t>(rank),
                      static_cast<std::uint64_t>(step)};
  std::array<std::uint32_t, 2> halves{};
  mixed.generate(halves.begin(), halves.end());
  return (std::uint64_t{halves[0]} << 32) | halves[1];
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
      reducer_(group, model.network->parameters()),
      batcher_(corpus_, batcher_options(config_),
               [&corpus](std::int64_t epoch) { corpus.begin_epoch(epoch); }),
      optimizer_(config_.training, *model.network),
      checkpoints_(folder_),
      log_(folder_, group.is_main()),
      bf16_(config_.training.precision == Precision::automatic
                ? prefers_bf16(model.device, config_.model.hidden_size)
                : config_.training.precision == Precision::bf16),
      meter_(steady_seconds()) {
  model.network->set_gradient_checkpointing(config_.training.gradient_checkpointing);
}

void Trainer::begin(const RunFingerprints& checksums) {
  checksums_ = checksums;
  progress_.data_fingerprint = checksums.data;
  progress_.metric_fingerprint = checksums.score;
  log_.truncate_after(-1);
}

/// To the state in which the checkpoint was written, in the log as well, but for what no longer
/// means what it meant then. Returns what its scores were measured by.
std::uint32_t Trainer::restore(const std::filesystem::path& checkpoint) {
  progress_ = Checkpoints::load(checkpoint, model_.network, optimizer_);
  const bool validated =
      progress_.validated_step == progress_.step && std::filesystem::exists(folder_ / weights_file);
  log_.truncate_after(progress_.step,
                      {.validated = validated, .measure = progress_.metric_fingerprint});
  saved_step_ = progress_.step;
  if (progress_.data_fingerprint != checksums_.data) {
    spdlog::warn(
        "the training text or its division into batches changed since {}: going on with a new "
        "epoch",
        checkpoint.string());
    progress_.position = {progress_.position.epoch + 1, 0};
    progress_.epoch_loss = 0;
    progress_.epoch_tokens = 0;
    progress_.data_fingerprint = checksums_.data;
  }
  const auto measure = std::exchange(progress_.metric_fingerprint, checksums_.score);
  if (uses_other_metric(measure)) reset_best_score();
  batcher_.seek(progress_.position);
  return measure;
}

/// 0: unknown, of an old checkpoint.
bool Trainer::uses_other_metric(std::uint32_t checksum) const {
  return checksum != 0 && checksum != checksums_.score;
}

/// As if nothing had been validated yet.
void Trainer::reset_best_score() {
  progress_.best_score.reset();
  progress_.validations_without_gain = 0;
  progress_.validated_step = progress_.averaged_step = -1;
}

void Trainer::resume(const std::filesystem::path& checkpoint, const RunFingerprints& checksums) {
  checksums_ = checksums;
  const auto measure = restore(checkpoint);
  seconds_before_ = saved_seconds_ = progress_.seconds;
  if (uses_other_metric(measure)) {
    spdlog::warn(
        "the validation text, or how a model is scored on it, changed since {}: earlier scores no "
        "longer count",
        checkpoint.string());
  }
  on_metric_change(measure);
  if (progress_.validated_step >= 0 && !std::filesystem::exists(folder_ / weights_file)) {
    spdlog::warn("{} is gone: the next validation is the best so far",
                 (folder_ / weights_file).string());
    reset_best_score();
  }
  spdlog::info("going on from {}: step {}, epoch {}", checkpoint.string(), progress_.step,
               progress_.position.epoch + 1);
}

/// All ranks wait for the first one's scores, and stop together where a signal cut them short: the
/// next session begins with them.
void Trainer::on_metric_change(std::uint32_t before) {
  std::string best;
  std::array<double, 1> interrupted{};
  try {
    if (uses_other_metric(before)) best = rescore_best_model();
  } catch (const Interrupted&) {
    interrupted[0] = 1;
  }
  group_.all_reduce_patient(interrupted);
  if (interrupted[0] > 0) stop_interrupted();
  log_.measure(progress_, before, checksums_.score, best);
}

/// Another measure does not make a better model of the one to come: it has to score higher than the
/// run's by this measure, too. Returns the event of its validation; "" where there is none.
std::string Trainer::rescore_best_model() {
  if (validator_ == nullptr || !std::filesystem::exists(folder_ / weights_file)) return "";
  spdlog::info("scoring the run's model so far by it (step {})", progress_.best_step);
  try {
    auto kept = load_model(folder_, model_.device);
    const auto validation = validator_->run(kept);
    progress_.best_score = finite_score(validation);
    spdlog::info(
        "the run's model so far (step {}): validation loss {:.4f}, BLEU {:.2f}, chrF2 {:.2f}",
        progress_.best_step, validation.loss, validation.bleu, validation.chrf);
    return RunLogger::best_event(progress_.best_step, validation);
  } catch (const ModelError& error) {  // damaged, or with no finite score
    spdlog::warn("the run's model so far has no score, the next validation is the best: {}",
                 error.what());
    return "";
  }
}

double Trainer::seconds() const { return seconds_before_ + steady_seconds() - session_start_; }

TrainingProgress Trainer::milestones() const {
  const double share = static_cast<double>(progress_.position.next) /
                       static_cast<double>(std::max<int64_t>(1, batcher_.batches_per_epoch()));
  return {.seconds = progress_.seconds,
          .steps = static_cast<double>(progress_.step),
          .epochs = static_cast<double>(progress_.position.epoch) + share};
}

std::string Trainer::stop_reason() const {
  const auto& training = config_.training;
  if (training.max_steps > 0 && progress_.step >= training.max_steps)
    return fmt::format("max_steps {} reached", training.max_steps);
  if (training.max_epochs > 0 && progress_.position.epoch >= training.max_epochs)
    return fmt::format("max_epochs {} reached", training.max_epochs);
  if (training.max_minutes > 0 && progress_.seconds >= training.max_minutes * 60)
    return fmt::format("max_minutes {} reached", training.max_minutes);
  if (training.early_stopping > 0 &&
      progress_.validations_without_gain >= training.early_stopping) {
    return fmt::format("no gain in {} validations", training.early_stopping);
  }
  return "";
}

bool Trainer::run_updates(std::int64_t count) {
  model_.network->train();
  for (std::int64_t i = 0; i < count; ++i) update();
  return split_updates_ == 0;
}

TrainingResult Trainer::run() {
  const auto& training = config_.training;
  session_start_ = steady_seconds();
  begin_ = milestones();
  meter_.reset(steady_seconds());
  model_.network->train();
  broadcast_all(group_, model_.network->parameters());
  traffic_.begin(group_, progress_.step);
  const bool at_start = training.valid_at_start && progress_.step == 0;
  // the latter where the last session ended in the midst of it
  if (at_start || should_validate()) validate();
  ProgressLine live;
  for (auto move = next_action(); move != LoopAction::end; move = next_action()) {
    if (move == LoopAction::stop) {
      save(SaveReason::interruption);
      group_.barrier();  // whoever started the ranks may end all when one has ended
      stop_interrupted();
    }
    const auto [step, epoch] = std::pair(progress_.step, progress_.position.epoch);
    update();
    if (progress_.step <= step) continue;  // it went back to a checkpoint
    if (group_.is_main() && live.due(steady_seconds())) live.show(describe(progress_, report()));
    if (training.log_unit == LogUnit::steps && progress_.step % training.log_every == 0) log_step();
    if (progress_.position.epoch != epoch) log_epoch(epoch);
    // first: a validation may take longer than whoever ends a process waits
    if (should_save()) save(SaveReason::due);
    if (should_validate()) validate();
    if (status_ != nullptr) status_->update(progress_);
  }
  const auto reason = stop_reason();
  traffic_.log_total(group_, progress_.step);
  check_tensors_identical(group_, model_.network->parameters(), "the trained model");
  save(SaveReason::end);
  if (!validate()) stop_interrupted();
  average_and_validate();
  return {reason, progress_};
}

void Trainer::stop_interrupted() const {
  throw make_interrupted_error(fmt::format("at step {}", progress_.step), folder_);
}

/// The same on every rank: rank 0 knows whether training ends, but each may have been signalled.
Trainer::LoopAction Trainer::next_action() const {
  std::array<double, 2> votes{group_.is_main() && !stop_reason().empty() ? 1.0 : 0.0,
                              interrupt_requested() ? 1.0 : 0.0};
  group_.all_reduce_patient(votes);
  if (votes[0] > 0) return LoopAction::end;
  return votes[1] > 0 ? LoopAction::stop : LoopAction::update;
}

CollateOptions Trainer::batch_format() const {
  return {.source = model_.tokenizers.source->special(),
          .target = model_.tokenizers.target->special(),
          .fixed_length = config_.data.fixed_length};
}

Batch Trainer::batch_of(std::span<const std::int64_t> examples) const {
  return collate(corpus_, examples, batch_format()).to(model_.device);
}

/// This rank's share of an update's batches: the ranks take them in turn.
std::vector<Batch> Trainer::next_batches() {
  std::vector<Batch> batches;
  for (std::int64_t i = 0; i < config_.training.accum_count * group_.size(); ++i) {
    const auto examples = batcher_.next();
    if (i % group_.size() != group_.rank()) continue;
    batches.push_back(batch_of(examples));
  }
  return batches;
}

/// One update from accum_count batches of every rank: the gradient of their joint mean loss per
/// target token, whatever their sizes.
void Trainer::update() {
  if (!group_.is_main()) seed_everything(seed_of(config_.training, group_.rank(), progress_.step));
  const auto batches = next_batches();
  std::array<double, 2> tokens{};  // target, source
  for (const auto& batch : batches) {
    tokens[0] += static_cast<double>(batch.target_tokens);
    tokens[1] += static_cast<double>(batch.source_tokens);
  }
  group_.all_reduce(tokens);
  const double target_tokens = tokens[0];
  const double loss = backward(batches, target_tokens);
  gradient_norm_ = optimizer_.clip(config_.training.clip_norm);
  learning_rate_ =
      learning_rate_at(config_.training, progress_.step + 1) * progress_.divergence.rate_factor;
  const bool finite = std::isfinite(gradient_norm_) && std::isfinite(loss);
  if (finite) optimizer_.step(learning_rate_);
  ++progress_.step;
  progress_.position = batcher_.position();
  progress_.seconds = seconds();
  handle_divergence(batches, loss);
  if (!finite) return;  // it must not spoil every mean from here on
  progress_.epoch_loss += loss;
  progress_.epoch_tokens += static_cast<std::int64_t>(target_tokens);
  progress_.report_loss += loss;
  progress_.report_tokens += static_cast<std::int64_t>(target_tokens);
  meter_.add(static_cast<std::int64_t>(target_tokens + tokens[1]));
}

/// Counts an update that was left out (or was not), and does what the config says where there were
/// too many.
void Trainer::handle_divergence(const std::vector<Batch>& batches, double loss) {
  const bool finite = std::isfinite(gradient_norm_) && std::isfinite(loss);
  const auto hint = record_update(config_.training, progress_.step, finite, progress_.divergence);
  if (hint == DivergenceAction::none) return;
  if (non_finite_lines_.empty() && std::isfinite(loss)) {
    for (const auto& batch : batches)
      non_finite_lines_ += (non_finite_lines_.empty() ? "" : "; ") + lines_of(batch);
  }
  spdlog::warn(
      "step {}: the {} is not finite; this update is left out, number {} in a row (of the training "
      "text: {})",
      progress_.step, std::isfinite(loss) ? "gradient" : "loss", progress_.divergence.left_out,
      non_finite_lines_.empty() ? "lines of another rank" : non_finite_lines_);
  if (hint == DivergenceAction::roll_back) roll_back();
  if (hint == DivergenceAction::stop)
    throw_diverged(config_.training, progress_.step, progress_.divergence, folder_.string());
}

/// All ranks come here at the same update. The time that was lost counts, so that a limit of
/// minutes holds.
void Trainer::roll_back() {
  const auto [from, diverged] = std::pair(progress_.step, progress_.divergence);
  std::string checkpoint;
  if (group_.is_main())
    checkpoint = checkpoints_.go_back(rollback_limit(diverged)).value_or("").string();
  checkpoint = group_.broadcast(checkpoint);
  if (checkpoint.empty()) throw_diverged(config_.training, from, diverged, folder_.string());
  const auto best = std::pair(progress_.best_score, progress_.best_step);
  const auto best_validation = log_.best_validation();
  const auto measure = restore(checkpoint);
  // the model of that score is still there
  std::tie(progress_.best_score, progress_.best_step) = best;
  const auto& after = progress_.divergence =
      rolled_back(config_.training, from, progress_.step, diverged);
  progress_.seconds = seconds();
  group_.barrier();  // all have read it
  if (group_.is_main()) checkpoints_.save_progress(progress_);
  log_.measure(progress_, measure, checksums_.score, best_validation);
  log_.rollback(progress_, from, best_validation);
  if (status_ != nullptr) status_->saved(progress_);
  meter_.reset(steady_seconds());
  begin_ = milestones();
  spdlog::warn(
      "training diverged at step {}: back to {}, and on with {} of the learning rate (rollback {} "
      "of at most {} without progress)",
      from, checkpoint, after.rate_factor, after.rollbacks, max_rollbacks);
}

/// Fills the gradients; returns the summed loss; both of all ranks. A batch that does not fit into
/// memory is divided on this rank alone: the ranks meet when the last part is done.
double Trainer::backward(const std::vector<Batch>& batches, double target_tokens) {
  std::array<double, 1> loss{};
  const auto format = batch_format();
  retry_in_micro_batches(
      batches,
      [&](const Batch& batch, std::size_t begin, std::size_t end) {
        return slice_rows(batch, begin, end, format);
      },
      [&](const std::vector<Batch>& parts, std::size_t& at) {
        if (parts.size() > batches.size()) ++split_updates_;
        loss[0] = backward_micro_batches(parts, at, target_tokens);
      });
  reducer_.finish();
  group_.all_reduce(loss);
  return loss[0];
}

/// at: the part under way, for whom a failure concerns.
double Trainer::backward_micro_batches(const std::vector<Batch>& parts, std::size_t& at,
                                       double target_tokens) {
  const Bf16AutocastGuard products(bf16_);
  optimizer_.zero_grad();
  reducer_.reset();
  non_finite_lines_.clear();
  double loss = 0;
  for (at = 0; at < parts.size(); ++at) {
    if (at + 1 == parts.size()) reducer_.arm();
    const auto sum = compute_loss(model_, parts[at]);
    (sum / target_tokens).backward();
    const auto part_loss = sum.item<double>();
    if (!std::isfinite(part_loss))
      non_finite_lines_ += (non_finite_lines_.empty() ? "" : "; ") + lines_of(parts[at]);
    loss += part_loss;
  }
  return loss;
}

StepMetrics Trainer::report() const {
  const auto& training = config_.training;
  const TrainingProgress limits{.seconds = 60 * training.max_minutes,
                                .steps = static_cast<double>(training.max_steps),
                                .epochs = static_cast<double>(training.max_epochs)};
  // NaN where all updates were left out
  return {.loss = progress_.report_loss / static_cast<double>(progress_.report_tokens),
          .learning_rate = learning_rate_,
          .gradient_norm = gradient_norm_,
          .tokens_per_second = meter_.tokens_per_second(steady_seconds()),
          .eta_seconds = eta_seconds(begin_, milestones(), limits),
          .traffic = std::nullopt};
}

void Trainer::log_step() {
  auto report = this->report();
  report.traffic = traffic_.since_last(group_, progress_.step);
  log_.step(progress_, report);
  progress_.report_loss = 0;
  progress_.report_tokens = 0;
  meter_.reset(steady_seconds());
}

/// before: the epoch that the update began in; one may end several.
void Trainer::log_epoch(std::int64_t before) {
  const auto& training = config_.training;
  const bool due = training.log_unit == LogUnit::epochs &&
                   progress_.position.epoch / training.log_every > before / training.log_every;
  if (due && progress_.epoch_tokens > 0) {
    log_.epoch(progress_, progress_.epoch_loss / static_cast<double>(progress_.epoch_tokens));
  }
  progress_.epoch_loss = 0;
  progress_.epoch_tokens = 0;
  if (training.log_unit != LogUnit::epochs) return;
  progress_.report_loss = 0;  // the line at a terminal begins anew, too
  progress_.report_tokens = 0;
}

bool Trainer::should_validate() const {
  return config_.training.valid_steps > 0 && progress_.step > 0 &&
         progress_.step % config_.training.valid_steps == 0;
}

/// Amid updates that are left out the weights may be what went wrong. At the end of training they
/// are the last there will be: one such update is no reason to end without a model.
bool Trainer::weights_may_be_invalid() const {
  const auto left_out = progress_.divergence.left_out;
  if (left_out == 0 || stop_reason().empty()) return left_out > 0;
  return left_out >= config_.training.divergence_patience &&
         std::filesystem::exists(folder_ / weights_file);
}

/// Without validation text the newest weights are the model. What was learnt is saved before a
/// validation that fails takes the run down. False where a signal cut it short: all ranks stop
/// together, later, and a resumed run begins with it.
bool Trainer::validate() {
  if (!group_.is_main() || progress_.validated_step == progress_.step) return true;
  if (weights_may_be_invalid()) {
    spdlog::warn("step {}: not validated, as the last updates were left out", progress_.step);
    return true;
  }
  if (validator_ == nullptr) {
    const EmaWeightsGuard averaged(optimizer_.average());
    write_safetensors(folder_ / weights_file, state_dict(*model_.network));
    progress_.best_step = progress_.validated_step = progress_.step;
    save_validation_result();
    return true;
  }
  try {
    const EmaWeightsGuard averaged(optimizer_.average());
    release_cached_memory();  // else a validation's peak would come on top of an update's
    const auto validation = validator_->run(model_);
    release_cached_memory();
    const bool best = save_if_best(finite_score(validation));
    // only now: where the model can't be written, a resumed run validates again
    progress_.validated_step = progress_.step;
    log_.validation(progress_, validation, best);
  } catch (const NonFiniteError& error) {
    // no score at all is no gain; the updates to come will tell whether to go back
    spdlog::warn("step {}: no validation: {}", progress_.step, error.what());
    progress_.validated_step = progress_.step;
    ++progress_.validations_without_gain;
    progress_.scoreless_step = progress_.step;
    progress_.asked_for = false;  // what has no score is nothing to go back to, nor part of a mean
  } catch (const Interrupted&) {
    return false;
  } catch (...) {
    save(SaveReason::interruption);
    throw;
  }
  progress_.seconds = seconds();
  save_validation_result();
  meter_.reset(steady_seconds());  // the rate is training's alone
  return true;
}

/// Into the checkpoint of this step, where it is older than the validation. Only now may others
/// have to make room for it.
void Trainer::save_validation_result() {
  if (saved_step_ != progress_.step) return;
  saved_seconds_ = progress_.seconds;  // as where a resumed run counts from
  checkpoints_.save_progress(progress_);
  if (needs_score() || !progress_.asked_for) return;
  checkpoints_.remove_old(
      {.count = config_.training.keep_checkpoints, .only_asked_for = !stop_reason().empty()});
}

/// A score that is no number (a diverged model's loss) is the worst.
double Trainer::finite_score(const Validation& validation) const {
  const double score = validation.score(config_.training.best_by);
  return std::isfinite(score) ? score : std::numeric_limits<double>::lowest();
}

/// True where this is the best score so far.
bool Trainer::save_if_best(double score) {
  if (progress_.best_score && score <= *progress_.best_score) {
    // else it is the model itself, by another measure
    if (progress_.step != progress_.best_step) ++progress_.validations_without_gain;
    return false;
  }
  write_safetensors(folder_ / weights_file, state_dict(*model_.network));
  progress_.best_score = score;
  progress_.best_step = progress_.step;
  progress_.validations_without_gain = 0;
  return true;
}

bool Trainer::is_asked_for(std::int64_t step) const {
  const auto every =
      config_.training.save_steps > 0 ? config_.training.save_steps : config_.training.valid_steps;
  return every > 0 && step > 0 && step % every == 0;
}

bool Trainer::should_save() const {
  // it might be what training has to go back from
  if (progress_.divergence.left_out > 0) return false;
  const auto minutes = config_.training.save_minutes;
  return (minutes > 0 && seconds() - saved_seconds_ >= minutes * 60) ||
         is_asked_for(progress_.step);
}

/// Until the weights have a score, what they would push out stays.
bool Trainer::needs_score() const {
  const bool wants_one = validator_ != nullptr && (should_validate() || !stop_reason().empty());
  return wants_one &&
         (progress_.validated_step != progress_.step || progress_.scoreless_step == progress_.step);
}

void Trainer::save(SaveReason reason) {
  saved_seconds_ = seconds();
  if (!group_.is_main()) return;
  const bool unscored = reason != SaveReason::interruption && needs_score();
  const RetentionPolicy keep{.count = config_.training.keep_checkpoints + (unscored ? 1 : 0),
                             .only_asked_for = reason == SaveReason::end};
  if (saved_step_ == progress_.step) {
    if (reason != SaveReason::end || progress_.divergence.left_out > 0 ||
        progress_.scoreless_step == progress_.step)
      return;
    if (!std::exchange(progress_.asked_for, true)) checkpoints_.save_progress(progress_);
    return checkpoints_.remove_old(keep);
  }
  progress_.asked_for = progress_.divergence.left_out == 0 &&
                        (reason != SaveReason::interruption || is_asked_for(progress_.step));
  checkpoints_.save(progress_, model_.network, optimizer_, keep);
  saved_step_ = progress_.step;
  if (status_ != nullptr) status_->saved(progress_);
}

/// At the end: the mean of the last checkpoints' weights becomes the model where it scores better
/// (always, where nothing can be scored).
void Trainer::average_and_validate() {
  if (!group_.is_main()) return;
  const auto count = static_cast<std::size_t>(config_.training.average_checkpoints);
  if (count < 2 || progress_.averaged_step == progress_.step) return;
  auto checkpoints = checkpoints_.list_averageable();
  if (checkpoints.size() < 2) return;
  if (checkpoints.size() > count)
    checkpoints.erase(checkpoints.begin(), checkpoints.end() - static_cast<std::ptrdiff_t>(count));
  load_state_dict(*model_.network, average_weights(checkpoints), folder_);
  spdlog::info("average of the last {} checkpoints:", checkpoints.size());
  progress_.validated_step = -1;
  // saved with the score: a run killed in between must not score the mean twice
  progress_.averaged_step = progress_.step;
  const auto without_gain = progress_.validations_without_gain;
  if (!validate()) stop_interrupted();
  // a mean that is no better is none without gain
  progress_.validations_without_gain = std::min(without_gain, progress_.validations_without_gain);
  checkpoints_.save_progress(progress_);
}

}  // namespace tfm
