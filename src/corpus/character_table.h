// What the rules ask about a character, from a table: searching Unicode's ranges for each character
// would take most of the time of cleaning.
#pragma once

#include "tfm/text/unicode_categories.h"

namespace tfm {

struct CharacterClass {
  Script script = Script::other;
  SpacelessScript spaceless = SpacelessScript::none;
  bool letter = false;  // a letter or mark of one of the scripts
  bool digit = false;   // general category N
  bool space = false;
  /// a control character, U+FFFD, a byte order mark within text, a character of private use, or a
  /// line or paragraph separator
  bool control = false;
};

/// Returns the class of a code point.
const CharacterClass& character_class(char32_t c);

}  // namespace tfm
