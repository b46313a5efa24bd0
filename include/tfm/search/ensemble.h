// Several models as one: at each step the mean of their probabilities (or log-probabilities) of
// every next token. They must share the target vocabulary and see the same sentences.
#pragma once

#include <memory>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/step_model.h"

namespace tfm {

class EnsembleStepModel : public StepModel {
 public:
  /// At least one member. EnsembleMean::probabilities: log(mean of p). log_probabilities: mean of
  /// log p, not normalised again, so that a token is only as likely as all of them find it. Throws
  /// ModelError where vocabularies differ in size.
  EnsembleStepModel(std::vector<std::unique_ptr<StepModel>> members, EnsembleMean mean);

  std::int64_t vocab_size() const override { return members_.front()->vocab_size(); }
  std::span<const float> advance(std::span<const std::int32_t> parents,
                                 std::span<const std::int32_t> tokens) override;
  /// The mean over members; empty where one of them tells none.
  std::span<const float> attention() const override { return attention_; }

 private:
  void average_attention();

  std::vector<std::unique_ptr<StepModel>> members_;
  EnsembleMean mean_;
  std::vector<float> log_probs_;
  std::vector<float> attention_;
};

}  // namespace tfm
