#include "tfm/translate/product_format.h"

#include "tfm/core/error.h"
#include "tfm/nn/ops/precision.h"

namespace tfm {

ProductFormat product_format(const DecodingConfig& decoding, const TranslationModel& model) {
  switch (decoding.precision) {
    case DecodingPrecision::automatic:
      return wants_bf16(Precision::automatic, model.device, model.config.model.hidden_size) ? ProductFormat::bf16 : ProductFormat::fp32;
    case DecodingPrecision::fp32:
      return ProductFormat::fp32;
    case DecodingPrecision::bf16:
      if (model.device.is_cpu() && !has_bf16_products()) {
        throw ConfigError("decoding.precision", "this processor can't multiply in bf16", "Use int8 or fp32.");
      }
      return ProductFormat::bf16;
    case DecodingPrecision::int8:
      break;
  }
  if (!model.device.is_cpu()) throw ConfigError("decoding.precision", "int8 runs on the CPU only", "Use bf16, or --device cpu.");
  return ProductFormat::int8;
}

}  // namespace tfm
