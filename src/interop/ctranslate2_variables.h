// Converts a model's weights and config to the variables of CTranslate2's TransformerSpec.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tfm/model/model_folder.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

struct CTranslate2Variables {
  /// weights in fp32, and scalar attributes in the types that the specification requires, by name
  StateDict values;
  std::map<std::string, std::string> aliases;  ///< maps an alias to the name of its variable
};

/// Converts a model that was loaded from the folder `origin`. If CTranslate2 cannot express the
/// model, throws a ModelError that names `origin` and all config fields that are not supported.
CTranslate2Variables ctranslate2_variables(const TranslationModel& model,
                                           const std::filesystem::path& origin);

/// Changes the bias of the output projection so that <pad>, <s> and <unk> have the probability 0,
/// for programs that do not exclude these tokens from the search as tfm does.
void exclude_special_tokens(CTranslate2Variables& variables, const Tokenizer& target);

}  // namespace tfm
