// report.json: what a finished run tells of its model: how it was trained, on which text, and what
// the validation says of it.
#pragma once

#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"
#include "tfm/training/run.h"
#include "tfm/training/validator.h"

namespace tfm {

CorpusSummary summarize(const ParallelText& text);

/// Into result.folder. text: what it was trained on, as its files hold it; validator: nullptr where
/// the run has no validation text; best: the model that is kept. Throws ModelError where the file
/// can't be written.
void write_report(const RunResult& result, const TranslationModel& model, const CorpusSummary& text,
                  const Validator* validator, TranslationModel& best);

}  // namespace tfm
