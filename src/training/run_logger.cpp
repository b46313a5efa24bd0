#include "tfm/training/run_logger.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_events.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/core/log.h"
#include "tfm/training/run_page.h"

namespace tfm {
namespace {

using nlohmann::ordered_json;

std::string to_text(std::uint32_t checksum) { return fmt::format("{:08x}", checksum); }

ordered_json scores(double loss, double bleu, double chrf) {
  return {{"loss", loss}, {"bleu", bleu}, {"chrf", chrf}};
}

void add_scores(Scalars& scalars, const std::string& group, const ValidationSetScores& scores) {
  scalars.emplace_back(group + "/loss", scores.loss);
  scalars.emplace_back(group + "/bleu", scores.bleu);
  scalars.emplace_back(group + "/chrf", scores.chrf);
}

void show(std::int64_t step, const Validation& validation, bool best) {
  spdlog::info("step {}  validation: loss {:.4f}  perplexity {:.2f}  BLEU {:.2f}  chrF2 {:.2f}{}",
               step, validation.loss, std::exp(validation.loss), validation.bleu, validation.chrf,
               best ? "  (best so far)" : "");
  for (const auto& set : validation.others) {
    spdlog::info(
        "step {}  validation {}: loss {:.4f}  perplexity {:.2f}  BLEU {:.2f}  chrF2 {:.2f}", step,
        set.name, set.loss, std::exp(set.loss), set.bleu, set.chrf);
  }
  for (const auto& sample : validation.samples) {
    spdlog::info("sample\n    source     {}\n    model      {}\n    reference  {}", sample.source,
                 sample.hypothesis, sample.reference);
  }
}

}  // namespace

std::string describe(const TrainerState& progress, const StepMetrics& report) {
  return fmt::format(
      "step {}  epoch {}  loss {:.4f}  rate {:.2e}  norm {:.2f}  {:.0f} tokens/s  {} left",
      progress.step, progress.position.epoch + 1, report.loss, report.learning_rate,
      report.gradient_norm, report.tokens_per_second, format_duration(report.eta_seconds));
}

void RunLogger::append(const std::string& line) const {
  if (!writes_) return;
  const auto file = folder_ / metrics_file;
  std::ofstream output(file, std::ios::app);
  output << line << '\n';
  output.flush();
  if (!output)
    throw ModelError(file.string(), "can't be written",
                     "Check free space and permissions of its folder.");
}

void RunLogger::write_scalars(std::int64_t step, const Scalars& scalars) {
  if (events_) events_->write(step, scalars);
}

void RunLogger::truncate_after(std::int64_t step, const Cut& cut) {
  if (!writes_) return;
  std::string kept;
  bool other_measure = false;  // than the checkpoint's, from here on
  for_each_event(folder_, [&](const ordered_json& event, const std::string& line) {
    const auto at = event.value("step", std::int64_t{0});
    const auto kind = event.value("event", "");
    if (at == step && kind == "measure")
      other_measure = cut.measure != 0 && event.value("now", "") != to_text(cut.measure);
    const bool stays = !other_measure && (cut.validated || kind != "validation");
    if (at < step || (at == step && stays)) kept += line + "\n";
  });
  write_file(folder_ / metrics_file, kept);
  events_.emplace(folder_ / "tensorboard", step + 1);
}

std::string RunLogger::best_validation() const {
  std::string best;
  if (!writes_) return best;
  for_each_event(folder_, [&](const ordered_json& event, const std::string& line) {
    const auto kind = event.value("event", "");
    if (kind == "measure") best.clear();
    if (event.contains("best_validation")) best = event["best_validation"].dump();
    if (kind == "validation" && event.value("best", false)) best = line;
  });
  return best;
}

std::string RunLogger::best_event(std::int64_t step, const Validation& validation) {
  ordered_json object = {{"event", "validation"}, {"step", step}};
  object.update(scores(validation.loss, validation.bleu, validation.chrf));
  object["best"] = true;
  return object.dump();
}

void RunLogger::measure(const TrainerState& progress, std::uint32_t before, std::uint32_t now,
                        const std::string& best_validation) {
  if (!writes_) return;
  auto last = before == 0 ? "" : to_text(before);
  for_each_event(folder_, [&](const ordered_json& event, const std::string&) {
    if (event.value("event", "") == "measure") last = event.value("now", "");
  });
  const auto next = to_text(now);
  if (last.empty() || last == next) return;
  ordered_json object = {
      {"event", "measure"}, {"step", progress.step}, {"before", last}, {"now", next}};
  if (!best_validation.empty()) object["best_validation"] = ordered_json::parse(best_validation);
  append(object.dump());
}

void RunLogger::rollback(const TrainerState& progress, std::int64_t from,
                         const std::string& best_validation) {
  ordered_json object = {{"event", "rollback"},
                         {"step", progress.step},
                         {"from_step", from},
                         {"learning_rate_factor", progress.divergence.rate_factor}};
  const auto best = ordered_json::parse(best_validation, nullptr, /*allow_exceptions=*/false);
  if (best.is_object() && best.value("step", std::int64_t{0}) > progress.step)
    object["best_validation"] = best;
  append(object.dump());
}

void RunLogger::step(const TrainerState& progress, const StepMetrics& report) {
  spdlog::info("{}", describe(progress, report));
  ordered_json object = {{"event", "step"},
                         {"step", progress.step},
                         {"epoch", progress.position.epoch},
                         {"loss", report.loss},
                         {"learning_rate", report.learning_rate},
                         {"gradient_norm", report.gradient_norm},
                         {"tokens_per_second", report.tokens_per_second},
                         {"seconds", progress.seconds}};
  if (report.traffic) {
    object["comm_bytes"] = report.traffic->bytes;
    object["comm_wait_seconds"] = report.traffic->wait_seconds;
  }
  append(object.dump());
  write_scalars(progress.step, {{"training/loss", report.loss},
                                {"training/learning_rate", report.learning_rate},
                                {"training/gradient_norm", report.gradient_norm},
                                {"training/tokens_per_second", report.tokens_per_second}});
}

void RunLogger::epoch(const TrainerState& progress, double loss) {
  spdlog::info("Epoch: {:04} loss = {:.6f}", progress.position.epoch, loss);
  append(ordered_json{
      {"event", "epoch"},
      {"step", progress.step},
      {"epoch", progress.position.epoch},
      {"loss",
       loss}}.dump());
  write_scalars(progress.step, {{"training/epoch_loss", loss}});
}

void RunLogger::validation(const TrainerState& progress, const Validation& validation, bool best) {
  show(progress.step, validation, best);
  ordered_json object = {{"event", "validation"}, {"step", progress.step}};
  object.update(scores(validation.loss, validation.bleu, validation.chrf));
  object["best"] = best;
  Scalars scalars;
  add_scores(
      scalars, "validation",
      {.name = "", .loss = validation.loss, .bleu = validation.bleu, .chrf = validation.chrf});
  for (const auto& set : validation.others) {
    object["sets"][set.name] = scores(set.loss, set.bleu, set.chrf);
    add_scores(scalars, "validation_" + set.name, set);
  }
  for (const auto& sample : validation.samples) {
    object["samples"].push_back({{"source", sample.source},
                                 {"hypothesis", sample.hypothesis},
                                 {"reference", sample.reference}});
  }
  // a model that knows bytes may write some that are not UTF-8
  append(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  write_scalars(progress.step, scalars);
  if (writes_) write_run_page(folder_);
}

}  // namespace tfm
