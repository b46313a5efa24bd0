// Writes report.json, which describes a finished run's model: how and on which data it was trained,
// and its validation scores.
#pragma once

#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"
#include "tfm/training/run.h"
#include "tfm/training/validator.h"

namespace tfm {

CorpusSummary summarize(const ParallelText& text);

/// Writes report.json into result.folder. text: the summary of the training data as its files
/// contain it. validator: nullptr if the run has no validation data. best: the model that is kept.
/// Throws ModelError if the file can't be written.
void write_report(const RunResult& result, const TranslationModel& model, const CorpusSummary& text,
                  const Validator* validator, TranslationModel& best);

}  // namespace tfm
