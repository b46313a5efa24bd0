// Holds the outcome of a validation: the model's scores on the validation data, and sample
// translations for people to read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tfm/model/validation_metrics.h"

namespace tfm {

/// A line of the validation data and its current translation.
struct Sample {
  std::string source;
  std::string reference;
  std::string hypothesis;
};

struct Validation {
  ValidationScores scores;
  std::vector<std::string> hypotheses;
  /// At most config.training.valid_samples lines, spread evenly over the translated lines. Each
  /// validation uses the same lines.
  std::vector<Sample> samples{};
  /// The scores on data.valid_sets, in their order, each with the set's name.
  std::vector<std::pair<std::string, ValidationScores>> extra_sets{};

  /// Returns the score that decides which model is best; higher is better.
  double score(BestBy by) const;
};

/// Returns the text of a sample in the log: three lines for source, model and reference.
std::string describe(const Sample& sample);

/// Returns each metric with its value: "loss 2.0000", "BLEU 30.10", ... If BLEU's tokenizer is not
/// 13a, it is added as in sacreBLEU's signature: "BLEU 30.10 (tok:zh)".
std::vector<std::string> format_scores(const ValidationScores& scores);
/// Returns "loss 2.0000, BLEU 30.10, ...".
std::string describe(const ValidationScores& scores);

}  // namespace tfm
