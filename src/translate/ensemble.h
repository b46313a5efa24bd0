// Checks that models can form an ensemble (search/ensemble.h).
#pragma once

#include <span>

#include "tfm/model/model_folder.h"

namespace tfm {

/// Throws ModelError if there is no model, if the models' source or target vocabularies differ in
/// any token, or if data.source_eos or language_tags differ.
void check_ensemble(std::span<TranslationModel* const> models);

}  // namespace tfm
