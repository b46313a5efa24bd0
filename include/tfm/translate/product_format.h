// What decoding.precision means for a model where it is.
#pragma once

#include "tfm/config/config.h"
#include "tfm/nn/ops/inference_weights.h"
#include "tfm/translate/model_folder.h"

namespace tfm {

/// Throws ConfigError where the model's device does not have it.
ProductFormat product_format(const DecodingConfig& decoding, const TranslationModel& model);

}  // namespace tfm
