// Where the sentences of a line begin and end, by rules in the spirit of Unicode's UAX #29 and not
// by a model, for European and East Asian languages: an end mark, what closes quotes and brackets
// after it, white space, and a beginning that looks like one (an upper-case letter, a digit, a
// letter of a script without case). Chinese and Japanese end marks need no white space. No sentence
// ends after an abbreviation ("z. B.", "Dr."), an initial ("J. S. Bach") or a number of one or two
// digits ("3. Mai"). Where it is in doubt there is no end: two sentences in one translate better
// than halves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Whether nothing but Unicode's white space is in the text.
bool is_blank(std::string_view text);

/// Of valid UTF-8: views into the text, in order, without white space around them; between them,
/// and before and after, stands nothing else. Empty for white space alone.
std::vector<std::string_view> split_sentences(std::string_view text);

/// What stands between two translated parts of a line, which had `gap` (white space or nothing)
/// between them in the source: nothing between Chinese or Japanese characters, else the gap, or a
/// space where there was none.
std::string sentence_separator(std::string_view before, std::string_view gap,
                               std::string_view after);

}  // namespace tfm
