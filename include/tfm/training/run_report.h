// Writes report.json, which describes the model of a finished run: its training, its data and its
// validation scores.
#pragma once

#include <optional>

#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"
#include "tfm/training/run.h"
#include "tfm/training/validator.h"

namespace tfm {

/// Returns the number of pairs and the checksum of a text.
CorpusSummary summarize(const ParallelText& text);

/// Validates `best`, the best model, and writes report.json to result.folder. `text` summarises the
/// training data as read from the files. `validator` is null if there is no validation data.
/// Returns the validation scores, if any. Throws ModelError if the file can't be written.
std::optional<ValidationScores> write_report_json(const RunResult& result,
                                                  const TranslationModel& model,
                                                  const CorpusSummary& text,
                                                  const Validator* validator,
                                                  TranslationModel& best);

}  // namespace tfm
