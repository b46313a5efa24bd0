// Chooses the model of a text by its languages. The language of a text may be detected, and a text
// that already is in the target language needs no model.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tfm/serve/language_detection.h"
#include "tfm/serve/served_models.h"

namespace tfm {

/// What a text is translated with.
struct ModelChoice {
  const ServedModel* model = nullptr;  ///< null if the text already is in the target language
  std::optional<Detection> detected;   ///< set if the source was to be detected
};

/// Throws HttpError 400 if the service does not translate the languages: from `source` or, if it is
/// detected_source, from any language.
void check_languages(const LanguageRouter& router, const std::string& source,
                     const std::string& target);

/// Returns the model of a text from `source`, which may be detected_source; only then is `text`
/// called, for the text without markup. Throws HttpError 400 as check_languages does.
ModelChoice choose_model(const ServedModels& models, const LanguagePair& languages,
                         const std::function<std::string()>& text);

}  // namespace tfm
