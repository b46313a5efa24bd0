// Chooses the model of a request by its languages.
#pragma once

#include <string>

#include "tfm/serve/served_models.h"

namespace tfm {

/// Returns the model. Throws HttpError 400 if no model translates from the one language to the
/// other.
const ServedModel& choose_model(const ServedModels& models, const std::string& source,
                                const std::string& target);

/// Throws HttpError 400 if no model can translate a text: from `source` or, if it is
/// detected_source, from any language.
void check_languages(const ServedModels& models, const std::string& source,
                     const std::string& target);

}  // namespace tfm
