// Converts text to lower case, upper case and title case by Unicode's rules, which Python's
// str.lower() and str.upper() follow, too. Malformed bytes stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// The letters i of a language. Turkish and Azerbaijani have a dotless i, and the upper case of
/// their i has a dot.
enum class DottedI { usual, turkic };

/// Returns the rule of a language, which may have a variant ("tr", "az-Latn"). Unknown languages
/// have the usual rule.
DottedI dotted_i(std::string_view language);

/// Replaces the upper-case and title-case letters of all scripts by their lower-case letters. A
/// Greek sigma at the end of a word becomes the final sigma.
std::string lowercase(std::string_view text, DottedI rule = DottedI::usual);

/// Replaces the lower-case letters of all scripts by their upper-case letters. A letter may become
/// several: the sharp s becomes SS.
std::string uppercase(std::string_view text, DottedI rule = DottedI::usual);

/// Makes the first cased letter of every word upper case and all later ones lower case, as in "The
/// (Old) Café". Letters behind a digit become lower case: "2nd". Words are between white space,
/// which is kept. A first letter whose upper case is several letters stays as it is.
std::string titlecase(std::string_view text, DottedI rule = DottedI::usual);

}  // namespace tfm
