// The metrics of a validation, in one table. A new metric needs a member of ValidationScores, a row
// of the table, a value of training.best_by with its name and text (docs/development.md), and code
// in Validator that computes it.
#pragma once

#include <array>

#include "tfm/config/config.h"

namespace tfm {

struct ValidationScores {
  double loss = 0;  ///< cross-entropy in nats per target token, without label smoothing
  double bleu = 0;  ///< BLEU, from 0 to 100
  double chrf = 0;  ///< chrF2, from 0 to 100
  /// the tokenizer that `bleu` was computed with; never `automatic`
  BleuTokenizer bleu_tokenizer = BleuTokenizer::mteval_13a;

  bool operator==(const ValidationScores&) const = default;
};

struct ValidationMetric {
  BestBy keyword;     ///< a value of training.best_by
  const char* key;    ///< text of the keyword; name in metrics.jsonl, report.json and TensorBoard
  const char* name;   ///< name in the log and in report.html
  const char* scale;  ///< unit or range of the values
  double ValidationScores::* value;
  int decimals;
  bool higher_is_better;

  /// Converts a value of the metric to a score, for which higher is better.
  double to_score(double metric_value) const {
    return higher_is_better ? metric_value : -metric_value;
  }
};

/// All metrics, in the order in which files, the log and report.html list them.
inline constexpr auto validation_metrics = std::to_array<ValidationMetric>({
    {BestBy::loss, "loss", "loss", "nats per target token", &ValidationScores::loss, 4, false},
    {BestBy::bleu, "bleu", "BLEU", "0 to 100", &ValidationScores::bleu, 2, true},
    {BestBy::chrf, "chrf", "chrF2", "0 to 100", &ValidationScores::chrf, 2, true},
});

/// Returns the row of the metric that a value of training.best_by selects.
const ValidationMetric& validation_metric(BestBy keyword);

}  // namespace tfm
