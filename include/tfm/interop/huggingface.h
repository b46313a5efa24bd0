// Models of Hugging Face Transformers: config.json, model.safetensors or pytorch_model.bin, and the
// files of a tokenizer. The import reads MarianMT models (for example OPUS-MT) and models of many
// languages, M2M-100 and NLLB-200; a pickle in pytorch_model.bin is read, but not run. The export
// writes post-norm models as MarianMT models and pre-norm models as Pegasus models, with the
// tokenizer of MarianMT; the import reads both. The positional encodings of MarianMT and Pegasus
// have all sines before all cosines. In tfm's sinusoidal positions, sines and cosines alternate.
// Import and export therefore permute the hidden dimensions, which does not change the output of
// the model. M2M-100 and NLLB-200 keep their order, because tfm has their positions, too.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/model/model.h"

namespace tfm {

struct TranslationModel;

/// Imports a model from its folder. Throws ModelError with the file name if a file is missing or
/// malformed. If tfm cannot express the architecture, the error names the fields of config.json
/// that are not supported.
Model import_huggingface(const std::filesystem::path& folder);

/// Writes a folder for AutoTokenizer and AutoModelForSeq2SeqLM atomically. `origin` is the folder
/// that the model was loaded from, `card` the content of README.md. Throws ModelError if the folder
/// is in use or cannot be written. If Transformers cannot express the model, the error names
/// `origin` and all config fields that are not supported.
void export_huggingface(const TranslationModel& model, const std::filesystem::path& folder,
                        const std::filesystem::path& origin, const std::string& card);

}  // namespace tfm
