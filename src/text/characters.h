// What kind of character a code point is, as far as sentences need to know it; coarse: whole blocks
// instead of the Unicode database.
#pragma once

namespace tfm {

bool is_space(char32_t c);
/// One that ends a line or a paragraph for some reader.
bool is_line_end(char32_t c);
/// Of Chinese or Japanese text, marks included, which is written without spaces.
bool is_cjk(char32_t c);
bool is_digit(char32_t c);
/// A lower-case letter of the Latin, Greek, Cyrillic or Armenian script.
bool is_lower(char32_t c);
/// Any letter.
bool is_letter(char32_t c);
/// . ! ? and their like, which end a sentence where white space follows.
bool is_end_mark(char32_t c);
/// 。 and its like, which end one anyway.
bool is_cjk_end_mark(char32_t c);
/// What closes a quote or bracket after the end mark, or may.
bool is_closer(char32_t c);
/// What opens a quote or bracket before a sentence's first letter, or may.
bool is_opener(char32_t c);

}  // namespace tfm
