#include "inference.h"

#include <algorithm>
#include <functional>

#include "tfm/core/error.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/translate/precision.h"

namespace tfm {
namespace {

DecodingPrecision precision_of(torch::ScalarType type) {
  if (type == torch::kBFloat16) return DecodingPrecision::bf16;
  return type == torch::kFloat16 ? DecodingPrecision::fp16 : DecodingPrecision::fp32;
}

/// Throws ConfigError if the device does not support the precision.
void check_supported(DecodingPrecision precision, torch::Device device) {
  const char* const field = "decoding.precision";
  const bool gpu = supports_fp16(device);
  if (precision == DecodingPrecision::bf16 && !supports_bf16(device)) {
    throw ConfigError(
        field, gpu ? "this GPU can't multiply in bf16" : "this processor can't multiply in bf16",
        gpu ? "Set decoding.precision to fp16 or fp32."
            : "Set decoding.precision to int8 or fp32.");
  }
  if (precision == DecodingPrecision::fp16 && !gpu) {
    throw ConfigError(field, "fp16 is only supported on GPUs",
                      "Set decoding.precision to int8, bf16 or fp32, or use --device cuda.");
  }
  if (precision == DecodingPrecision::int8 && !has_tfm_kernels(device)) {
    throw ConfigError(field, "int8 is only supported on the CPU",
                      "Set decoding.precision to bf16 or fp16, or use --device cpu.");
  }
}

/// Returns the precision that decoding.precision selects, which is not `automatic`.
DecodingPrecision resolve_precision(const DecodingConfig& decoding, const TranslationModel& model) {
  if (decoding.precision == DecodingPrecision::automatic)
    return precision_of(preferred_type(model.device, model.config.model.hidden_size));
  check_supported(decoding.precision, model.device);
  return decoding.precision;
}

/// Returns the format of packed weights on the CPU.
WeightFormat packed_format(DecodingPrecision precision, bool batch_invariant) {
  if (precision == DecodingPrecision::int8) return WeightFormat::int8;
  // bf16 results have not been shown to be batch-invariant.
  return precision == DecodingPrecision::bf16 && !batch_invariant ? WeightFormat::bf16
                                                                  : WeightFormat::fp32;
}

}  // namespace

std::string used_precision(const TranslationModel& model, const DecodingConfig& decoding) {
  switch (resolve_precision(decoding, model)) {
    case DecodingPrecision::int8:
      return "int8";
    case DecodingPrecision::fp16:
      return "fp16";
    case DecodingPrecision::bf16:
      // Reproducible translation on the CPU replaces bf16 by fp32, as Inference does.
      return decoding.reproducible && has_tfm_kernels(model.device) ? "fp32" : "bf16";
    case DecodingPrecision::automatic:
    case DecodingPrecision::fp32:
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
  const auto precision = resolve_precision(decoding, *models_.front());
  if (!packs_weights_) {
    const auto type = precision == DecodingPrecision::fp16 ? torch::kFloat16 : torch::kBFloat16;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      auto& casts = casts_.emplace_back(std::make_unique<WeightCasts>(type));
      contexts_.push_back({.casts = precision == DecodingPrecision::fp32 ? nullptr : casts.get()});
    }
    return;
  }
  const auto format = packed_format(precision, batch_invariant_);
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
