// Converts the scores of a validation to JSON for metrics.jsonl and report.json.
#pragma once

#include <nlohmann/json.hpp>

#include "tfm/config/choices.h"
#include "tfm/model/validation_metrics.h"

namespace tfm {

/// Makes the JSON object {"loss": 2.0, "bleu": 30.0, ...}. The JSON library calls this function to
/// convert ValidationScores. The tokenizer of BLEU is only included if it is not 13a.
inline void to_json(nlohmann::ordered_json& object, const ValidationScores& scores) {
  object = nlohmann::ordered_json::object();
  for (const auto& metric : validation_metrics) object[metric.key] = scores.*metric.value;
  if (scores.bleu_tokenizer != BleuTokenizer::mteval_13a)
    object["bleu_tokenizer"] = choice_name(scores.bleu_tokenizer);
}

}  // namespace tfm
