// A model as CTranslate2 (opennmt.net/CTranslate2) reads it: model.bin in its binary version 6 with
// the variables of its TransformerSpec, revision 7, config.json and the vocabularies. CTranslate2
// knows token pieces, not text; weights are written in fp32, and it quantises them when it loads
// them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tfm/model/model_folder.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

struct CTranslate2Variables {
  /// by name: weights in fp32, attributes as scalars of the type that the specification asks for
  StateDict values;
  std::map<std::string, std::string> aliases;  ///< names that stand for another name's value
};

/// origin: where the model is from. Throws ModelError naming it and every field of the config that
/// CTranslate2 can't express.
CTranslate2Variables ctranslate2_variables(const TranslationModel& model,
                                           const std::filesystem::path& origin);

/// Writes model.bin, config.json, the vocabularies, and the tokenizers beside them. Throws
/// ModelError as ctranslate2_variables does, and where the folder already holds a model or can't be
/// written.
void export_ctranslate2(const TranslationModel& model, const std::filesystem::path& folder,
                        const std::filesystem::path& origin);

}  // namespace tfm
