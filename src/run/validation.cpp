#include "tfm/run/validation.h"

#include <fmt/format.h>

#include "tfm/config/choices.h"

namespace tfm {
double Validation::score(BestBy by) const {
  const auto& metric = validation_metric(by);
  return metric.to_score(scores.*metric.value);
}

std::string describe(const Sample& sample) {
  return fmt::format("sample\n    source     {}\n    model      {}\n    reference  {}",
                     sample.source, sample.hypothesis, sample.reference);
}

std::vector<std::string> format_scores(const ValidationScores& scores) {
  std::vector<std::string> parts;
  for (const auto& metric : validation_metrics) {
    parts.push_back(fmt::format("{} {:.{}f}", metric.name, scores.*metric.value, metric.decimals));
    if (metric.keyword == BestBy::bleu && scores.bleu_tokenizer != BleuTokenizer::mteval_13a)
      parts.back() += fmt::format(" (tok:{})", choice_name(scores.bleu_tokenizer));
  }
  return parts;
}

std::string describe(const ValidationScores& scores) {
  return fmt::format("{}", fmt::join(format_scores(scores), ", "));
}

}  // namespace tfm
