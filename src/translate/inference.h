// Prepares models for translation or scoring: selects the precision for their device, packs their
// weights on the CPU, and disables gradients and dropout. The packed weights are passed to each
// network in a ForwardContext.
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
  /// On the CPU, makes the matrix products of a row bit-identical in every batch. bf16 is then
  /// replaced by fp32.
  bool batch_invariant = false;
  /// Prepares the output projection for a VocabularySubset.
  bool selects_tokens = false;
};

class Inference {
 public:
  /// On the CPU, packs the models' weights. The models must outlive the Inference, and their
  /// weights must not change. Throws ConfigError if the first model's device does not support
  /// decoding.precision.
  Inference(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
            const InferenceOptions& options = {});

  bool packs_weights() const { return packs_weights_; }
  bool uses_host_threads() const { return uses_host_threads_; }
  bool batch_invariant() const { return batch_invariant_; }

  /// Returns the context for the network of models[model]. It is valid as long as this object
  /// exists.
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
  bool packs_weights_;
  bool uses_host_threads_;
  bool batch_invariant_;
  // Each vector has one entry per model. weights_ is only filled on the CPU, casts_ only on other
  // devices, where bf16 and fp16 use the casts.
  std::vector<std::unique_ptr<PackedWeights>> weights_;
  std::vector<std::unique_ptr<WeightCasts>> casts_;
  std::vector<ForwardContext> contexts_;
};

}  // namespace tfm
