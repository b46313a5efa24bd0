// A model's weights and attributes under the names of CTranslate2's TransformerSpec.
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

/// origin: where the model is from. Throws ModelError with it and every field of the config that
/// CTranslate2 can't express.
CTranslate2Variables ctranslate2_variables(const TranslationModel& model,
                                           const std::filesystem::path& origin);

}  // namespace tfm
