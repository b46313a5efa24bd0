// Models about to translate or to score: what decoding.precision means for them on their device,
// their weights packed for it (the ForwardContext that their networks are called with), and the
// state that they work in: no gradients, no dropout.
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
  /// A row's products are the same bits in any batch (on the CPU, and in fp32 if bf16 is wanted).
  bool batch_invariant = false;
  /// Logits are computed of some tokens only (VocabularySubset).
  bool selects_tokens = false;
};

class Inference {
 public:
  /// Packs the models' weights. The models must outlive this, and their weights must not change.
  /// Throws ConfigError if the first model's device does not have decoding.precision.
  Inference(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
            const InferenceOptions& options = {});

  bool on_cpu() const { return on_cpu_; }
  bool batch_invariant() const { return batch_invariant_; }

  /// How the network of models[model] computes. Valid as long as this.
  const ForwardContext& context(std::size_t model) const { return contexts_[model]; }

  /// The models are ready to work, on this thread, for as long as this lives. Another thread needs
  /// a torch::InferenceMode of its own.
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
  // by model: packed weights on the CPU, casts elsewhere if products are in bf16
  std::vector<std::unique_ptr<PackedWeights>> weights_;
  std::vector<std::unique_ptr<WeightCasts>> casts_;
  std::vector<ForwardContext> contexts_;
};

}  // namespace tfm
