#include "tfm/search/ensemble.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Returns the logarithm of the mean probability of entry i. `values` holds the log-probabilities
/// of each member. The highest value of entry i is subtracted first, because exp could underflow.
float log_mean(std::span<const std::span<const float>> values, std::size_t i) {
  float highest = values[0][i];
  for (const auto& member : values) highest = std::max(highest, member[i]);
  if (std::isinf(highest)) return highest;
  float sum = 0;
  for (const auto& member : values) sum += std::exp(member[i] - highest);
  return highest + std::log(sum / static_cast<float>(values.size()));
}

float mean(std::span<const std::span<const float>> values, std::size_t i) {
  float sum = 0;
  for (const auto& member : values) sum += member[i];
  return sum / static_cast<float>(values.size());
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

std::span<const float> EnsembleStepModel::advance(std::span<const std::int32_t> parents,
                                                  std::span<const std::int32_t> tokens) {
  std::vector<std::span<const float>> values;
  values.reserve(members_.size());
  for (const auto& member : members_) values.push_back(member->advance(parents, tokens));
  log_probs_.resize(values.front().size());
  for (std::size_t i = 0; i < log_probs_.size(); ++i)
    log_probs_[i] = mean_ == EnsembleMean::probabilities ? log_mean(values, i) : mean(values, i);
  average_attention();
  return log_probs_;
}

void EnsembleStepModel::average_attention() {
  const auto first = members_.front()->attention();
  attention_.assign(first.size(), 0);
  for (const auto& member : members_) {
    const auto attention = member->attention();
    if (attention.size() != attention_.size()) return attention_.clear();
    for (std::size_t i = 0; i < attention.size(); ++i)
      attention_[i] += attention[i] / static_cast<float>(members_.size());
  }
}

}  // namespace tfm
