// Codes of languages: ISO 639-1 (de), ISO 639-3 (deu), with a script (deu_Latn, ISO 15924) as in
// FLORES-200, whose languages NLLB-200 has, or with a variant (pt-BR, BCP 47).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A code, taken apart and brought to one form, so that codes of different standards compare equal.
struct LanguageCode {
  std::string language;  ///< ISO 639-3 in lower case, if known; otherwise as given
  std::string script;    ///< four letters, the first a capital (Latn); empty if the code has none
};

/// Takes a code apart at '-' or '_'. A language of ISO 639-1 becomes the one of ISO 639-3 that
/// FLORES-200 has for it: ar is arb, standard Arabic. Chinese gets a script: zh is zho_Hans, zh-TW
/// zho_Hant. A variant (BR) is ignored.
LanguageCode parse_language_code(std::string_view code);

/// Returns a code for each of several languages, as clients of services write it: of ISO 639-1 (de)
/// if there is one, otherwise of ISO 639-3 (deu). It has the script (zh-Hans) only if another of
/// the languages differs in nothing else.
std::vector<std::string> short_language_codes(const std::vector<std::string>& codes);

/// Returns the code without a script or a variant: pt for pt-BR.
constexpr std::string_view base_language(std::string_view code) {
  return code.substr(0, code.find('-'));
}

}  // namespace tfm
