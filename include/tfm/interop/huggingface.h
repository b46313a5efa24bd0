// MarianMT models of Hugging Face Transformers (the OPUS-MT translators, for example): config.json,
// model.safetensors, vocab.json and two SentencePiece models. Their positions are sines and cosines
// in halves of the hidden vector; its dimensions are renumbered so that they alternate, as tfm's
// do, which changes nothing that the model computes.
#pragma once

#include <filesystem>

#include "tfm/model/model.h"

namespace tfm {

/// Throws ModelError with the file and, if the architecture can't be expressed, the field of
/// config.json.
Model import_huggingface(const std::filesystem::path& folder);

}  // namespace tfm
