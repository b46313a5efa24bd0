#include "tfm/training/run_log.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tfm/core/error.h"
#include "tfm/core/files.h"
#include "tfm/core/log.h"
#include "tfm/metrics/meter.h"

namespace tfm {
namespace {

using nlohmann::ordered_json;

}  // namespace

void RunLog::append(const std::string& line) const {
  if (!writes_) return;
  std::ofstream output(file_, std::ios::app);
  output << line << '\n';
  output.flush();
  if (!output) throw ModelError(file_.string(), "can't be written", "Check free space and permissions of its folder.");
}

void RunLog::cut_after(std::int64_t step) const {
  if (!writes_) return;
  std::ifstream input(file_);
  std::string kept;
  for (std::string line; std::getline(input, line);) {
    const auto object = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (object.is_object() && object.value("step", std::int64_t{0}) <= step) kept += line + "\n";
  }
  write_file(file_, kept);
}

void RunLog::step(const Progress& progress, const StepReport& report) const {
  spdlog::info("step {}  epoch {}  loss {:.4f}  rate {:.2e}  norm {:.2f}  {:.0f} tokens/s  {} left", progress.step, progress.position.epoch + 1,
               report.loss, report.learning_rate, report.gradient_norm, report.tokens_per_second, format_duration(report.seconds_left));
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
}

void RunLog::epoch(const Progress& progress, double loss) const {
  spdlog::info("Epoch: {:04} loss = {:.6f}", progress.position.epoch, loss);
  append(ordered_json{{"event", "epoch"}, {"step", progress.step}, {"epoch", progress.position.epoch}, {"loss", loss}}.dump());
}

void RunLog::validation(const Progress& progress, const Validation& validation, bool best) const {
  spdlog::info("step {}  validation: loss {:.4f}  perplexity {:.2f}  BLEU {:.2f}  chrF2 {:.2f}{}", progress.step, validation.loss,
               std::exp(validation.loss), validation.bleu, validation.chrf, best ? "  (best so far)" : "");
  append(ordered_json{
      {"event", "validation"},
      {"step", progress.step},
      {"loss", validation.loss},
      {"bleu", validation.bleu},
      {"chrf", validation.chrf},
      {"best",
       best}}.dump());
}

}  // namespace tfm
