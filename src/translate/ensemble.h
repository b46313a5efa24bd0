// Whether models can translate together: what search/ensemble.h needs of them, and what a user must
// be told where they don't fit.
#pragma once

#include <span>

#include "tfm/model/model_folder.h"

namespace tfm {

/// Throws ModelError where the models' source or target vocabularies differ, token by token, or
/// only some read an end mark.
void check_ensemble(std::span<TranslationModel* const> models);

}  // namespace tfm
