// Import of MarianMT models of Hugging Face Transformers (for example OPUS-MT): config.json,
// model.safetensors, vocab.json and two SentencePiece models. The positional encodings of these
// models have all sines before all cosines, while tfm's alternate. The import therefore permutes
// the hidden dimensions, which does not change what the model computes.
#pragma once

#include <filesystem>

#include "tfm/model/model.h"

namespace tfm {

/// Imports a model from its folder. Throws ModelError with the file, if a file is missing or
/// malformed. If tfm cannot express the architecture, the error names the fields of config.json
/// that are not supported.
Model import_huggingface(const std::filesystem::path& folder);

}  // namespace tfm
