// Converts a model's weights to those of Transformers' MarianMT or Pegasus models.
#pragma once

#include "tfm/model/model_folder.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

/// Returns the number of positions that an exported model has, enough for every sentence that the
/// config allows.
int64_t huggingface_position_count(const Config& config);

/// Returns the tensors under the names of Transformers. Parameters that the model lacks, such as
/// biases, have the value that changes nothing. The model must be one that export_huggingface
/// accepts.
StateDict huggingface_weights(const TranslationModel& model);

}  // namespace tfm
