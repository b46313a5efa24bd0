#include "tfm/run/run_logger.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "fingerprint_hex.h"
#include "log_scan.h"
#include "model/scores_to_json.h"
#include "run_events.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/core/log_file.h"
#include "tfm/run/run_folder.h"
#include "tfm/run/run_page_file.h"

namespace tfm {
namespace {

using nlohmann::ordered_json;

void add_scores(Scalars& scalars, const std::string& group, const ValidationScores& scores) {
  for (const auto& metric : validation_metrics)
    scalars.emplace_back(group + "/" + metric.key, scores.*metric.value);
}

/// Returns whether the file has at least this many bytes. A power failure may have truncated it.
bool has_bytes(const std::filesystem::path& metrics, std::uint64_t bytes) {
  std::error_code none;
  const auto size = std::filesystem::file_size(metrics, none);
  return !none && size >= bytes;
}

[[noreturn]] void throw_unwritable(const std::filesystem::path& file) {
  throw ModelError(file.string(), "can't be written",
                   "Check the free space and the permissions of its folder.");
}

/// Returns the folder of the event files. Former versions wrote them to tensorboard/; a run that
/// has this folder continues to use it, because TensorBoard shows each folder as a run.
std::filesystem::path event_folder(const std::filesystem::path& run_folder) {
  const auto former = run_folder / "tensorboard";
  return std::filesystem::is_directory(former) ? former : run_folder;
}

/// Returns the facts recorded last.
std::optional<RunFacts> last_facts(const std::filesystem::path& run_folder) {
  std::optional<RunFacts> facts;
  const auto note = [&](const ordered_json& event, const std::string&) {
    if (event.value("event", "") == "run") facts = run_facts_from(event);
  };
  for_each_event(run_folder, note, WrongType::ignore);
  return facts;
}

void truncate_file(const std::filesystem::path& file, std::uint64_t bytes) {
  std::error_code error;
  std::filesystem::resize_file(file, bytes, error);
  if (error) throw_unwritable(file);
}

/// Returns "loss 2.0000  perplexity 7.39  BLEU 30.10  ...".
std::string score_columns(const ValidationScores& scores) {
  auto columns = format_scores(scores);
  columns.insert(columns.begin() + 1, fmt::format("perplexity {:.2f}", std::exp(scores.loss)));
  return fmt::format("{}", fmt::join(columns, "  "));
}

/// Returns "324/662", or "324" if the total is unknown (0).
std::string with_total(std::int64_t number, std::int64_t total) {
  return total > 0 ? fmt::format("{}/{}", number, total) : std::to_string(number);
}

/// Shows the first sample, and the others only with --verbose. The log file has all.
void show_samples(const std::vector<Sample>& samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto text = describe(samples[i]);
    i == 0 ? log_info("{}", text) : log_for_file(text);
  }
}

void show(std::int64_t step, const Validation& validation, bool best) {
  log_info("step {}  validation: {}{}", step, score_columns(validation.scores),
           best ? "  (best so far)" : "");
  for (const auto& [name, scores] : validation.extra_sets)
    log_info("step {}  validation {}: {}", step, name, score_columns(scores));
  show_samples(validation.samples);
}

}  // namespace

/// The most interesting numbers come first, because a narrow terminal truncates the line.
std::string describe(const TrainerState& state, const StepMetrics& report) {
  return fmt::format(
      "step {}  epoch {}  loss {:.4f}  {} left  {:.0f} tokens/s  rate {:.2e}  norm {:.2f}",
      with_total(state.step, report.max_steps), with_total(state.epoch_number(), report.max_epochs),
      report.loss, format_duration(report.eta_seconds), report.tokens_per_second,
      report.learning_rate, report.gradient_norm);
}

void RunLogger::append(const std::string& line) const {
  if (!writes_) return;
  const auto file = folder_ / metrics_file;
  std::ofstream output(file, std::ios::app);
  output << line << '\n';
  output.flush();
  if (!output) throw_unwritable(file);
}

void RunLogger::write_scalars(std::int64_t step, const Scalars& scalars) {
  if (events_) events_->write(step, scalars);
}

/// Records the facts of this session, unless the facts recorded last are the same.
void RunLogger::record_facts(std::int64_t step, const std::optional<RunFacts>& last) const {
  if (facts_ && last != facts_) append(to_event(*facts_, step).dump());
}

void RunLogger::begin() {
  if (!writes_) return;
  write_file(folder_ / metrics_file, "");
  record_facts(0, std::nullopt);
  events_.emplace(event_folder(folder_), 0);
}

TrainerState RunLogger::resume(TrainerState checkpoint, bool model_exists) {
  if (!writes_) return checkpoint;
  const auto file = folder_ / metrics_file;
  const bool repeats = checkpoint.validated_step != checkpoint.step || !model_exists;
  // After a metric change, the state has no validated step, but the file may still contain a
  // validation of the checkpoint's step.
  const bool holds_validation =
      !checkpoint.validated_step || checkpoint.validated_step == checkpoint.step;
  const bool knows_its_length = checkpoint.log_bytes && has_bytes(file, *checkpoint.log_bytes);
  std::optional<RunFacts> facts;
  if (knows_its_length && !(repeats && holds_validation)) {
    truncate_file(file, *checkpoint.log_bytes);
    facts = last_facts(folder_);
  } else {
    const auto scan = scan_log(folder_, checkpoint, repeats);
    write_file(file, scan.kept);
    facts = scan.facts;
    if (!checkpoint.log_bytes) checkpoint.best_event = scan.best_event;
  }
  record_facts(checkpoint.step, facts);
  events_.emplace(event_folder(folder_), checkpoint.step + 1);
  return checkpoint;
}

std::optional<std::uint64_t> RunLogger::bytes() const {
  if (!writes_) return std::nullopt;
  std::error_code none;
  const auto size = std::filesystem::file_size(folder_ / metrics_file, none);
  return none ? std::nullopt : std::optional<std::uint64_t>(size);
}

bool RunLogger::replaces_validation(std::int64_t step) const {
  return writes_ && replaced_step_ == step;
}

void RunLogger::drop_replaced_validation(std::int64_t step) {
  replaced_step_.reset();
  std::string others, newest;
  const auto sort = [&](const ordered_json& event, const std::string& line) {
    const bool replaced =
        event.value("event", "") == "validation" && event.value("step", -1) == step;
    replaced ? newest = line + "\n" : others += line + "\n";
  };
  for_each_event(folder_, sort, WrongType::ignore);
  write_file(folder_ / metrics_file, others + newest);
}

std::string best_validation_event(std::int64_t step, const Validation& validation) {
  ordered_json object = {{"event", "validation"}, {"step", step}};
  object.update(ordered_json(validation.scores));
  object["best"] = true;
  return object.dump();
}

void RunLogger::metric_changed(const TrainerState& state, std::uint32_t before, std::uint32_t now) {
  ordered_json object = {{"event", "metric_changed"},
                         {"step", state.step},
                         {"before", to_hex(before)},
                         {"now", to_hex(now)}};
  if (!state.best_event.empty()) object["best_validation"] = ordered_json::parse(state.best_event);
  append(object.dump());
  replaced_step_ = state.step;
}

void RunLogger::rollback(const TrainerState& state, std::int64_t from) {
  ordered_json object = {{"event", "rollback"},
                         {"step", state.step},
                         {"from_step", from},
                         {"learning_rate_factor", state.divergence.learning_rate_factor}};
  const auto best = ordered_json::parse(state.best_event, nullptr, /*allow_exceptions=*/false);
  // If the best validation is not later than the checkpoint, its own event is still in the file.
  if (best.is_object() && best.value("step", std::int64_t{0}) > state.step)
    object["best_validation"] = best;
  append(object.dump());
}

void RunLogger::step(const TrainerState& state, const StepMetrics& report) {
  log_info("{}", describe(state, report));
  ordered_json object = {{"event", "step"},
                         {"step", state.step},
                         {"epoch", state.epoch_number()},
                         {"loss", report.loss},
                         {"learning_rate", report.learning_rate},
                         {"gradient_norm", report.gradient_norm},
                         {"tokens_per_second", report.tokens_per_second},
                         {"seconds", state.seconds}};
  if (report.communication) {
    object["comm_bytes"] = report.communication->bytes;
    object["comm_wait_seconds"] = report.communication->wait_seconds;
  }
  append(object.dump());
  write_scalars(state.step, {{"training/loss", report.loss},
                             {"training/learning_rate", report.learning_rate},
                             {"training/gradient_norm", report.gradient_norm},
                             {"training/tokens_per_second", report.tokens_per_second}});
}

void RunLogger::epoch(const TrainerState& state) {
  const double loss = state.epoch.mean();
  log_info("Epoch: {:04} loss = {:.6f}", state.position.epoch, loss);
  append(ordered_json{
      {"event", "epoch"}, {"step", state.step}, {"epoch", state.position.epoch}, {"loss", loss}}
             .dump());
  write_scalars(state.step, {{"training/epoch_loss", loss}});
}

std::string RunLogger::validation(const TrainerState& state, const Validation& validation,
                                  bool best) {
  show(state.step, validation, best);
  ordered_json object = {{"event", "validation"}, {"step", state.step}};
  object.update(ordered_json(validation.scores));
  object["best"] = best;
  Scalars scalars;
  add_scores(scalars, "validation", validation.scores);
  for (const auto& [name, scores] : validation.extra_sets) {
    object["sets"][name] = scores;
    add_scores(scalars, "validation_" + name, scores);
  }
  for (const auto& sample : validation.samples) {
    object["samples"].push_back({{"source", sample.source},
                                 {"hypothesis", sample.hypothesis},
                                 {"reference", sample.reference}});
  }
  // A model with byte tokens may produce text that is not UTF-8.
  auto event = object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  append(event);
  write_scalars(state.step, scalars);
  if (writes_) write_run_page(folder_, /*warns=*/!std::exchange(has_page_, true));
  return event;
}

}  // namespace tfm
