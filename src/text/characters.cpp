#include "tfm/text/characters.h"

#include <string_view>

namespace tfm {
namespace {

bool is_one_of(char32_t c, std::u32string_view set) {
  return set.find(c) != std::u32string_view::npos;
}

bool is_between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

/// Returns true for lower-case letters of Latin Extended-A and, approximately, of Extended-B. In
/// these blocks, upper-case and lower-case letters mostly alternate, upper case first.
bool is_lower_extended_latin(char32_t c) {
  if (is_between(c, 0x139, 0x148) || is_between(c, 0x179, 0x17E)) return c % 2 == 0;
  if (c == 0x138 || c == 0x149 || c == 0x17F) return true;
  if (c == 0x178) return false;
  return c % 2 == 1;
}

}  // namespace

bool is_line_end(char32_t c) {
  return is_between(c, 0x0A, 0x0D) || is_between(c, 0x1C, 0x1E) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

bool is_control(char32_t c) { return c < 0x20 || is_between(c, 0x7F, 0x9F); }

bool is_space(char32_t c) {
  return c == ' ' || c == '\t' || is_line_end(c) || c == 0xA0 || c == 0x1680 ||
         is_between(c, 0x2000, 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_cjk(char32_t c) {
  return is_between(c, 0x2E80, 0x30FF) || is_between(c, 0x31C0, 0x9FFF) ||
         is_between(c, 0xF900, 0xFAFF) || is_between(c, 0xFE30, 0xFE4F) ||
         is_between(c, 0xFF00, 0xFF9F) || is_between(c, 0x20000, 0x3FFFF);
}

bool is_digit(char32_t c) {
  return is_between(c, '0', '9') || is_between(c, 0x660, 0x669) || is_between(c, 0xFF10, 0xFF19);
}

bool is_lower(char32_t c) {
  if (is_between(c, 0x100, 0x24F)) return is_lower_extended_latin(c);
  if (is_between(c, 0x1E00, 0x1EFF)) return c % 2 == 1;
  return is_between(c, 'a', 'z') || (is_between(c, 0xDF, 0xFF) && c != 0xF7) ||
         is_between(c, 0x3AC, 0x3CE) || is_between(c, 0x430, 0x45F) || is_between(c, 0x561, 0x587);
}

bool is_letter(char32_t c) {
  if (c < 0x80) return is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
  if (is_between(c, 0xC0, 0x24F)) return c != 0xD7 && c != 0xF7;
  return is_between(c, 0x370, 0x1FFF) || is_cjk(c) || is_between(c, 0xA000, 0xD7FF) ||
         is_between(c, 0xFB00, 0xFDFF) || is_between(c, 0xFE70, 0xFEFE);
}

// The list has punctuation of the Latin, Armenian, Hebrew, Arabic, Urdu, Devanagari, Ethiopic and
// Khmer scripts.
bool is_terminator(char32_t c) {
  return is_one_of(c,
                   U".!?"
                   U"\u2025\u2026\u203C\u203D\u2047\u2048\u2049\u0589\u05C3\u061F\u06D4\u0964\u0965"
                   U"\u1362\u17D4");
}

bool is_cjk_terminator(char32_t c) { return is_one_of(c, U"\u3002\uFF01\uFF1F\uFF61"); }

bool is_closer(char32_t c) {
  return is_one_of(c,
                   U"\"')]}"
                   U"\u00AB\u00BB\u2018\u2019\u201C\u201D\u2039\u203A\u300D\u300F\u3009\u300B\u3011"
                   U"\uFF09\uFF3D\uFF63");
}

bool is_opener(char32_t c) {
  return is_one_of(c,
                   U"\"'([{"
                   U"\u00A1\u00AB\u00BB\u00BF\u2018\u2019\u201A\u201B\u201C\u201D\u201E\u2039\u203A"
                   U"\u300C\u300E\u3008\u300A\u3010\uFF08-\u2013\u2014");
}

}  // namespace tfm
