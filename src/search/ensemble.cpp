#include "tfm/search/ensemble.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Returns the logarithm of the mean of the members' probabilities. The highest log-probability is
/// subtracted first, because exp could underflow.
float log_mean(std::span<const float> log_probs) {
  const float highest = std::ranges::max(log_probs);
  if (std::isinf(highest)) return highest;
  float sum = 0;
  for (const float log_prob : log_probs) sum += std::exp(log_prob - highest);
  return highest + std::log(sum / static_cast<float>(log_probs.size()));
}

float mean(std::span<const float> log_probs) {
  float sum = 0;
  for (const float log_prob : log_probs) sum += log_prob;
  return sum / static_cast<float>(log_probs.size());
}

}  // namespace

EnsembleStepModel::EnsembleStepModel(std::vector<std::unique_ptr<StepModel>> members,
                                     EnsembleMean mean)
    : members_(std::move(members)), mean_(mean) {
  if (members_.empty())
    throw ModelError("", "an ensemble needs a model", "Name at least one model.");
  for (const auto& member : members_) {
    if (member->vocab_size() == vocab_size()) continue;
    throw ModelError("",
                     "the models have different target vocabularies (" +
                         std::to_string(vocab_size()) + " and " +
                         std::to_string(member->vocab_size()) + " tokens)",
                     "Give models that share one target vocabulary.");
  }
}

StepOutput EnsembleStepModel::advance(std::span<const std::int32_t> parents,
                                      std::span<const std::int32_t> tokens) {
  std::vector<StepOutput> outputs;
  outputs.reserve(members_.size());
  for (const auto& member : members_) outputs.push_back(member->advance(parents, tokens));
  log_probs_.clear();
  std::vector<NextTokens> next(members_.size());
  std::vector<float> values(members_.size());
  for (std::size_t row = 0; row < parents.size(); ++row) {
    for (std::size_t m = 0; m < next.size(); ++m) next[m] = outputs[m].next(row);
    for (std::int32_t token = 0; token < next.front().size(); ++token) {
      for (std::size_t m = 0; m < next.size(); ++m) values[m] = next[m].log_prob(token);
      log_probs_.push_back(mean_ == EnsembleMean::probabilities ? log_mean(values) : mean(values));
    }
  }
  average_attention(outputs);
  return {.rows = parents.size(), .logits = log_probs_, .attention = attention_};
}

void EnsembleStepModel::average_attention(std::span<const StepOutput> outputs) {
  attention_.assign(outputs.front().attention.size(), 0);
  for (const StepOutput& output : outputs) {
    if (output.attention.size() != attention_.size()) return attention_.clear();
    for (std::size_t i = 0; i < attention_.size(); ++i)
      attention_[i] += output.attention[i] / static_cast<float>(outputs.size());
  }
}

}  // namespace tfm
