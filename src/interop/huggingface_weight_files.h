// Finds and reads the weights in a folder of Hugging Face Transformers. They are in
// model.safetensors or, in folders that were made with older versions, in pytorch_model.bin. Large
// models are in several files; an index NAME.index.json then maps each tensor to its file.
#pragma once

#include <filesystem>

#include "imported_weights.h"

namespace tfm {

/// Reads the weights from the first of these that exists: model.safetensors, its index,
/// pytorch_model.bin, its index. Throws ModelError if there are none, or a file is malformed.
ImportedWeights read_huggingface_weights(const std::filesystem::path& folder);

}  // namespace tfm
