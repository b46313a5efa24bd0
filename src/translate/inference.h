// Prepares models for translation or scoring: resolves decoding.precision for their device, packs
// their weights (the ForwardContext of their networks), and disables gradients and dropout.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/model_folder.h"
#include "tfm/nn/evaluation_mode.h"
#include "tfm/tensor/autocast.h"
#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/packed_weights.h"

namespace tfm {

struct InferenceOptions {
  /// Makes a row's matrix products bit-identical in any batch (on the CPU; fp32 replaces bf16).
  bool batch_invariant = false;
  /// Prepares for computing the logits of a VocabularySubset.
  bool selects_tokens = false;
};

class Inference {
 public:
  /// Packs the models' weights. The models must outlive the Inference, and their weights must not
  /// change. Throws ConfigError if the first model's device does not support decoding.precision.
  Inference(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
            const InferenceOptions& options = {});

  bool on_cpu() const { return on_cpu_; }
  bool batch_invariant() const { return batch_invariant_; }

  /// Returns the context for the network of models[model], valid as long as the Inference.
  const ForwardContext& context(std::size_t model) const { return contexts_[model]; }

  /// RAII guard that puts the models into evaluation mode and disables gradients on this thread.
  /// Other threads need their own torch::InferenceMode.
  class Use {
   public:
    explicit Use(const Inference& inference);

   private:
    std::vector<std::unique_ptr<EvalModeGuard>> no_dropout_;
    torch::InferenceMode no_gradients_;
  };

 private:
  std::vector<TranslationModel*> models_;
  bool on_cpu_;
  bool batch_invariant_;
  // one per model: packed weights on the CPU, casts on other devices if the format is bf16
  std::vector<std::unique_ptr<PackedWeights>> weights_;
  std::vector<std::unique_ptr<WeightCasts>> casts_;
  std::vector<ForwardContext> contexts_;
};

}  // namespace tfm
