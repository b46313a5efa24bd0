// The languages of a corpus: the scripts that they are written in, and the language of a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/text/unicode_categories.h"

namespace tfm {

/// What cleaning knows about the language of one side.
struct Language {
  std::string code;             ///< ISO 639-1, such as "de"; empty if it is unknown
  std::vector<Script> scripts;  ///< empty if they are unknown
};

/// Returns the language with the scripts that it is written in, if they are known.
Language language_from_code(std::string_view code);

/// Returns true if languages can be identified, because tfm was built with CLD2.
bool can_identify_languages();
/// Returns true if identify_language can find the language with this code.
bool can_identify(std::string_view code);

struct IdentifiedLanguage {
  std::string code;  ///< ISO 639-1; empty if CLD2 is not certain
  int percent = 0;   ///< share of the text that is in this language
};

/// Returns the language of a valid UTF-8 text. The expected language, if it is not empty, is a
/// hint, which decides doubtful cases. Languages that CLD2 confuses have one code: Norwegian "no",
/// Serbo-Croatian "sh", Malay "ms".
IdentifiedLanguage identify_language(std::string_view text, std::string_view expected = "");
/// Returns the code that identify_language would return for a text in this language.
std::string identified_code(std::string_view code);

}  // namespace tfm
