// Imports MarianMT models of Hugging Face Transformers (for example OPUS-MT) from config.json,
// model.safetensors, vocab.json and two SentencePiece models. The positional encodings of these
// models have all sines before all cosines. In tfm's sinusoidal positions, sines and cosines
// alternate. The import therefore permutes the hidden dimensions, which does not change the output
// of the model.
#pragma once

#include <filesystem>

#include "tfm/model/model.h"

namespace tfm {

/// Imports a model from its folder. Throws ModelError with the file name if a file is missing or
/// malformed. If tfm cannot express the architecture, the error names the fields of config.json
/// that are not supported.
Model import_huggingface(const std::filesystem::path& folder);

}  // namespace tfm
