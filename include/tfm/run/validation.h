// The outcome of a validation: loss, BLEU and chrF2 of the model on held-out text, and some of its
// translations for a person to read.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// A line as the model translates it now.
struct Sample {
  std::string source;
  std::string reference;
  std::string hypothesis;
};

/// The scores on a further set; see Validation.
struct ValidationSetScores {
  std::string name;
  double loss = 0;
  double bleu = 0;
  double chrf = 0;
};

struct Validation {
  double loss = 0;  ///< nats per target token, without label smoothing
  double bleu = 0;  ///< 0 to 100
  double chrf = 0;  ///< chrF2, 0 to 100
  std::vector<std::string> hypotheses;
  /// config.training.valid_samples lines, spread over the text, the same each time
  std::vector<Sample> samples{};
  std::vector<ValidationSetScores> others{};  ///< of the further sets, in their order

  /// Returns the score that decides which model is best (validation_metric).
  double score(BestBy by) const;
};

/// A metric that can decide which model is best.
struct ValidationMetric {
  const char* key;             ///< of its value in metrics.jsonl
  double Validation::* value;  ///< its member
  double sign;                 ///< times a value: the score, of which more is better
};
ValidationMetric validation_metric(BestBy by);

}  // namespace tfm
