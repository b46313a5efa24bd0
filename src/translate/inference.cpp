#include "inference.h"

#include <algorithm>
#include <functional>

#include "tfm/core/error.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/translate/precision.h"

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
      if (!supports_bf16(model.device)) {
        throw ConfigError("decoding.precision", "this processor can't multiply in bf16",
                          "Set decoding.precision to int8 or fp32.");
      }
      return WeightFormat::bf16;
    case DecodingPrecision::int8:
      break;
  }
  if (!has_tfm_kernels(model.device))
    throw ConfigError("decoding.precision", "int8 is only supported on the CPU",
                      "Set decoding.precision to bf16, or use --device cpu.");
  return WeightFormat::int8;
}

}  // namespace

std::string used_precision(const TranslationModel& model, const DecodingConfig& decoding) {
  switch (product_format(decoding, model)) {
    case WeightFormat::int8:
      return "int8";
    case WeightFormat::bf16:
      // Reproducible translation on the CPU replaces bf16 by fp32, as Inference does.
      return decoding.reproducible && has_tfm_kernels(model.device) ? "fp32" : "bf16";
    case WeightFormat::fp32:
      break;
  }
  return "fp32";
}

Inference::Inference(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
                     const InferenceOptions& options)
    : models_(models),
      packs_weights_(has_tfm_kernels(models.front()->device)),
      uses_host_threads_(tfm::uses_host_threads(models.front()->device)),
      batch_invariant_(options.batch_invariant) {
  auto format = product_format(decoding, *models_.front());
  if (!packs_weights_) {
    for (std::size_t i = 0; i < models_.size(); ++i) {
      auto& casts = casts_.emplace_back(std::make_unique<WeightCasts>());
      contexts_.push_back({.casts = format == WeightFormat::bf16 ? casts.get() : nullptr});
    }
    return;
  }
  // bf16 results have not been shown to be batch-invariant.
  if (batch_invariant_ && format == WeightFormat::bf16) format = WeightFormat::fp32;
  const bool mapped = std::all_of(models_.begin(), models_.end(),
                                  [](const TranslationModel* model) { return model->mapped; });
  PackingOptions packing{.format = format, .batch_invariant = batch_invariant_};
  if (mapped) packing.on_packed = release_pages;
  for (TranslationModel* model : models_) {
    if (options.selects_tokens) packing.selected_slot = model->network->output_part().slot;
    packing.packed_int8 = model->packed_int8 ? &*model->packed_int8 : nullptr;
    weights_.push_back(std::make_unique<PackedWeights>(model->network->linear_parts(), packing));
    contexts_.push_back(weights_.back()->context());
  }
}

Inference::Use::Use(const Inference& inference) {
  for (TranslationModel* model : inference.models_)
    no_dropout_.push_back(std::make_unique<EvalModeGuard>(*model->network));
}

}  // namespace tfm
