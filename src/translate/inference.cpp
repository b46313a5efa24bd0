#include "tfm/translate/inference.h"

#include <algorithm>
#include <functional>

#include "tfm/core/error.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

WeightFormat product_format(const DecodingConfig& decoding, const TranslationModel& model) {
  switch (decoding.precision) {
    case DecodingPrecision::automatic:
      return prefers_bf16(model.device, model.config.model.hidden_size) ? WeightFormat::bf16
                                                                        : WeightFormat::fp32;
    case DecodingPrecision::fp32:
      return WeightFormat::fp32;
    case DecodingPrecision::bf16:
      if (model.device.is_cpu() && !cpu_supports_bf16()) {
        throw ConfigError("decoding.precision", "this processor can't multiply in bf16",
                          "Use int8 or fp32.");
      }
      return WeightFormat::bf16;
    case DecodingPrecision::int8:
      break;
  }
  if (!model.device.is_cpu())
    throw ConfigError("decoding.precision", "int8 runs on the CPU only",
                      "Use bf16, or --device cpu.");
  return WeightFormat::int8;
}

}  // namespace

Inference::Inference(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
                     bool batch_invariant)
    : models_(models), batch_invariant_(batch_invariant) {
  const auto& first = *models_.front();
  auto format = product_format(decoding, first);
  if (!first.device.is_cpu()) {
    bf16_on_device_ = format == WeightFormat::bf16;
    return;
  }
  // not shown to be batch-invariant in bf16
  if (batch_invariant && format == WeightFormat::bf16) format = WeightFormat::fp32;
  const bool mapped = std::all_of(models_.begin(), models_.end(),
                                  [](const TranslationModel* model) { return model->mapped; });
  weights_.emplace(format, batch_invariant,
                   mapped ? release_pages : std::function<void(const torch::Tensor&)>());
}

Inference::OnThread::OnThread(Inference& inference) : products_(inference.bf16_on_device_) {
  if (inference.weights_) weights_.emplace(*inference.weights_);
}

Inference::Use::Use(Inference& inference) : on_thread_(inference) {
  for (TranslationModel* model : inference.models_)
    no_dropout_.push_back(std::make_unique<EvalModeGuard>(*model->network));
}

}  // namespace tfm
