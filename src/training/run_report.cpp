#include "tfm/training/run_report.h"

#include <nlohmann/json.hpp>

#include "tfm/core/atomic_file.h"
#include "tfm/core/log.h"
#include "tfm/data/text_checksum.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/alignment_head_selection.h"

namespace tfm {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const CorpusSummary& text) {
  return {{"pairs", text.pairs}, {"crc32", fmt::format("{:08x}", text.checksum)}};
}

/// What the validation says about the finished model.
void report_validation(ordered_json& report, const Validator& validator, TranslationModel& best) {
  const auto validation = validator.run(best);
  report["validation_text"] = to_json(summarize(validator.text()));
  report["validation"] = {
      {"loss", validation.loss}, {"bleu", validation.bleu}, {"chrf", validation.chrf}};
  for (const auto& set : validation.others) {
    report["validation_sets"][set.name] = {
        {"loss", set.loss}, {"bleu", set.bleu}, {"chrf", set.chrf}};
  }
  spdlog::info("the model (step {}): validation loss {:.4f}, BLEU {:.2f}, chrF2 {:.2f}",
               report["best_step"].get<std::int64_t>(), validation.loss, validation.bleu,
               validation.chrf);
  const auto choice = select_alignment_head(best, validator.text(), validator.alignments());
  if (!choice) return;
  report["alignment"] = {{"head", to_string(choice->head)},
                         {"after_reading", choice->head.after_reading},
                         {"dice", choice->dice}};
  if (choice->error_rate) report["alignment"]["error_rate"] = *choice->error_rate;
}

}  // namespace

CorpusSummary summarize(const ParallelText& text) {
  return {.pairs = text.source.size(), .checksum = checksum(text)};
}

void write_report(const RunResult& result, const TranslationModel& model, const CorpusSummary& text,
                  const Validator* validator, TranslationModel& best) {
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
                         {"training_text", to_json(text)}};
  if (validator != nullptr) report_validation(report, *validator, best);
  write_file(result.folder / report_file, report.dump(2) + "\n");
}

}  // namespace tfm
