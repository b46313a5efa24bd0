// Character classes for splitting text into sentences. They are approximations: most consist of
// whole Unicode blocks, and the Unicode character database is not used.
#pragma once

namespace tfm {

bool is_space(char32_t c);
/// Returns true for characters that some program treats as the end of a line or paragraph.
bool is_line_end(char32_t c);
/// Returns true for the control characters of ASCII and Latin-1 (C0, DEL, C1), including tab and
/// line feed.
bool is_control(char32_t c);
/// Returns true for the letters and punctuation of Chinese and Japanese text, which is written
/// without spaces.
bool is_cjk(char32_t c);
bool is_digit(char32_t c);
/// Returns true for lower-case letters of the Latin, Greek, Cyrillic and Armenian scripts.
bool is_lower(char32_t c);
/// Returns true for the Unicode ranges that contain most letters. These ranges also contain some
/// digits and punctuation, and they lack U+0250 to U+036F (IPA letters and combining marks).
bool is_letter(char32_t c);
/// Returns true for . ! ? and similar punctuation, which can end a sentence if white space follows.
bool is_terminator(char32_t c);
/// Returns true for 。 and similar punctuation, which can end a sentence even if no white space
/// follows.
bool is_cjk_terminator(char32_t c);
/// Returns true for characters that can close a quote or bracket after a terminator.
bool is_closer(char32_t c);
/// Returns true for quotes, brackets and dashes that can precede the first letter of a sentence.
bool is_opener(char32_t c);

}  // namespace tfm
