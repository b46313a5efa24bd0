// Finds the language of a text among those that it may be in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/text/language_identifier.h"

namespace tfm {

struct Detection {
  std::string language;   ///< one of the given languages
  double confidence = 0;  ///< from 0 to 100
};

/// Returns the language that `known` finds more probable than all others together, with this
/// probability as the confidence. If there is none, returns the language that CLD2 identifies, if
/// it is one of `languages`; the confidence is then the share of the text in this language.
/// Otherwise, or without CLD2, returns the first of `languages` with the probability that `known`
/// finds for it, or 0. `languages` must not be empty.
Detection detect_language(const LanguageIdentifier& known, const std::string& text,
                          const std::vector<std::string>& languages);

}  // namespace tfm
