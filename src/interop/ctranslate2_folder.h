// The files of a CTranslate2 model, which is a part of several export formats.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "ctranslate2_variables.h"

namespace tfm {

struct CTranslate2Parts {
  CTranslate2Variables variables;
  nlohmann::json config;  ///< content of config.json
};

/// Converts a model that was loaded from `origin`. Throws ModelError if CTranslate2 cannot express
/// the model (export_ctranslate2).
CTranslate2Parts ctranslate2_parts(const TranslationModel& model,
                                   const std::filesystem::path& origin);

/// Creates the folder if it does not exist, and writes the vocabularies, config.json and, last,
/// model.bin. Throws ModelError if a file can't be written.
void write_ctranslate2_folder(const CTranslate2Parts& parts, const TokenizerPair& tokenizers,
                              const std::filesystem::path& folder);

}  // namespace tfm
