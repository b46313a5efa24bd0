#include "character_table.h"

#include <vector>

#include "tfm/text/characters.h"

namespace tfm {
namespace {

CharacterClass classify(char32_t c) {
  const Script its_script = script(c);
  const UnicodeCategory category = unicode_category(c);
  const bool damaged = c == 0xFFFD || c == 0xFEFF || c == 0x2028 || c == 0x2029 ||
                       (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000;
  return {.script = its_script,
          .spaceless = spaceless_script(c),
          .letter = its_script != Script::other && category == UnicodeCategory::other,
          .digit = category == UnicodeCategory::number,
          .space = is_space(c),
          .control = is_control(c) || damaged};
}

}  // namespace

const CharacterClass& character_class(char32_t c) {
  constexpr char32_t end = 0x30000;  // behind the last of them, there are rare ideographs only
  static const auto table = [] {
    std::vector<CharacterClass> classes(end);
    for (char32_t each = 0; each < end; ++each) classes[each] = classify(each);
    return classes;
  }();
  if (c < end) return table[c];
  static const CharacterClass rare = classify(end);
  static const CharacterClass private_use = classify(0xF0000);
  return c < 0xF0000 ? rare : private_use;
}

}  // namespace tfm
