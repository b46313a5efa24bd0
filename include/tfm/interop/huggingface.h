// Import of MarianMT models of Hugging Face Transformers (for example OPUS-MT): config.json,
// model.safetensors, vocab.json and two SentencePiece models. These models concatenate sines and
// cosines, while tfm interleaves them. The import therefore permutes the hidden dimensions, which
// does not change what the model computes.
#pragma once

#include <filesystem>

#include "tfm/model/model.h"

namespace tfm {

/// Imports a model from its folder. Throws ModelError with the file and, if tfm cannot express the
/// architecture, with the fields of config.json.
Model import_huggingface(const std::filesystem::path& folder);

}  // namespace tfm
