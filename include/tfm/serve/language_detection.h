// Finds the language of a text among those that it may be in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct Detection {
  std::string language;   ///< one of the given languages
  double confidence = 0;  ///< from 0 to 100: the share of the text that is in the language
};

/// Returns the language that CLD2 identifies, if it is one of `languages`. Otherwise, or without
/// CLD2, returns the first of `languages` with the confidence 0. `languages` must not be empty.
Detection detect_language(const std::string& text, const std::vector<std::string>& languages);

}  // namespace tfm
