// Models about to translate or to score: what decoding.precision means for them where they are,
// their weights laid out for it, and the state that they work in: no gradients, no dropout.
#pragma once

#include <torch/types.h>

#include <memory>
#include <optional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/model_folder.h"
#include "tfm/nn/evaluation_mode.h"
#include "tfm/tensor/autocast.h"
#include "tfm/tensor/packed_weights.h"

namespace tfm {

class Inference {
 public:
  /// The models must outlive it, and their weights must not change. batch_invariant: a row's
  /// products are the same bits in any batch (on the CPU, and in fp32 where bf16 is wanted). Throws
  /// ConfigError where the first model's device does not have decoding.precision.
  Inference(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
            bool batch_invariant = false);

  bool on_cpu() const { return weights_.has_value(); }
  bool batch_invariant() const { return batch_invariant_; }

  /// This thread works with the models as they are laid out, for as long as this lives.
  class OnThread {
   public:
    explicit OnThread(Inference& inference);

   private:
    torch::InferenceMode no_gradients_;
    std::optional<PackedWeights::Use> weights_;
    Bf16AutocastGuard products_;
  };

  /// The models are ready to work, on this thread, for as long as this lives.
  class Use {
   public:
    explicit Use(Inference& inference);

   private:
    std::vector<std::unique_ptr<EvalModeGuard>> no_dropout_;
    OnThread on_thread_;
  };

 private:
  std::vector<TranslationModel*> models_;
  std::optional<PackedWeights> weights_;  // on the CPU
  bool bf16_on_device_ = false;
  bool batch_invariant_;
};

}  // namespace tfm
