#include "tfm/training/run_report.h"

#include <utility>

#include "tfm/data/text_checksum.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/alignment_head_selection.h"
#include "tfm/training/run_summary.h"

namespace tfm {
namespace {

/// Validates the best model and returns its scores.
RecordedValidation record_validation(const Validator& validator, TranslationModel& best) {
  const auto validation = validator.run(best);
  return {.text = summarize(validator.text()),
          .scores = validation.scores,
          .sets = validation.extra_sets};
}

std::optional<AlignmentRecord> record_alignment(const Validator& validator,
                                                TranslationModel& best) {
  const auto choice = select_alignment_head(best, validator.text(), validator.alignments());
  if (!choice) return std::nullopt;
  return AlignmentRecord{.head = to_string(choice->head),
                         .shifted = choice->head.shifted,
                         .dice = choice->dice,
                         .error_rate = choice->error_rate};
}

}  // namespace

CorpusSummary summarize(const ParallelText& text) {
  return {.pairs = text.source.size(), .checksum = checksum(text)};
}

std::optional<ValidationScores> write_report_json(const RunResult& result,
                                                  const TranslationModel& model,
                                                  const CorpusSummary& text,
                                                  const Validator* validator,
                                                  TranslationModel& best) {
  const auto& state = result.end.state;
  ModelRecord record{.tfm = TFM_VERSION};
  record.training = {.libtorch = libtorch_version(),
                     .finished = result.end.reason,
                     .schedule = describe_cut_schedule(model.config.training, state).value_or(""),
                     .steps = state.step,
                     .epoch = state.epoch_number(),
                     .seconds = state.seconds,
                     .best_step = state.best_step,
                     .parameters = model.network->parameter_count(),
                     .seed = model.config.training.seed,
                     .device = model.device.str(),
                     .text = text,
                     .validation = std::nullopt};
  if (validator != nullptr) {
    record.training->validation = record_validation(*validator, best);
    record.alignment = record_alignment(*validator, best);
  }
  write_record(result.folder, record);
  const auto& validation = record.training->validation;
  return validation ? std::optional(validation->scores) : std::nullopt;
}

}  // namespace tfm
