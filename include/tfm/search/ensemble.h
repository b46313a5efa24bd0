// An ensemble that acts as a single StepModel: at each step, the probabilities (or
// log-probabilities) of every next token are averaged over the members. Members must share the
// target vocabulary and be given the same sentences.
#pragma once

#include <memory>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/step_model.h"

namespace tfm {

class EnsembleStepModel : public StepModel {
 public:
  /// `mean` selects whether probabilities or log-probabilities are averaged. A mean of
  /// log-probabilities is not normalised again; it is high only for tokens that all members find
  /// probable. Throws ModelError if there is no member, or if vocabularies differ in size.
  EnsembleStepModel(std::vector<std::unique_ptr<StepModel>> members, EnsembleMean mean);

  std::int64_t vocab_size() const override { return members_.front()->vocab_size(); }
  /// The attention is the mean over members; empty if a member does not provide attention.
  StepOutput advance(std::span<const std::int32_t> parents,
                     std::span<const std::int32_t> tokens) override;

 private:
  void average_attention(std::span<const StepOutput> outputs);

  std::vector<std::unique_ptr<StepModel>> members_;
  EnsembleMean mean_;
  std::vector<float> log_probs_;
  std::vector<float> attention_;
};

}  // namespace tfm
