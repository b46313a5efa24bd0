// Names the data type in which a model computes, for reports.
#pragma once

#include <string>

#include "tfm/config/config.h"

namespace tfm {

struct TranslationModel;

/// Returns the data type of matrix multiplications that decoding.precision selects for the model
/// and its device: "fp32", "bf16", "fp16" or "int8". Throws ConfigError if the device does not
/// support it.
std::string used_precision(const TranslationModel& model, const DecodingConfig& decoding);

}  // namespace tfm
