// Splits lines into sentences by rules in the spirit of Unicode's UAX #29, not by a model, for
// European and East Asian languages. A sentence ends with a terminator (such as . ! ?) and the
// quotes and brackets that close after it, if white space follows. The text after the white space
// must be able to begin a sentence: with an upper-case letter, a digit, an emoji, or a letter of a
// script without case. Chinese and Japanese terminators need no white space. A line break always
// ends a sentence. Abbreviations ("z. B.", "Dr."), initials ("J. S. Bach") and numbers of one or
// two digits ("3. Mai") do not end a sentence. If the end of a sentence is uncertain, the text is
// not split, because two sentences together translate better than two halves of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// Returns true if the text contains nothing but Unicode white space.
bool is_blank(std::string_view text);

/// Splits valid UTF-8 into sentences and returns them as views into the text, in order, without
/// surrounding white space. The text between two sentences is always white space. Blank text has no
/// sentences.
std::vector<std::string_view> split_sentences(std::string_view text);

/// Returns the text to insert between two translated parts of a line. `gap` is the white space
/// between the parts in the source, which may be empty. The result is empty if a part is empty, and
/// between Chinese or Japanese characters. Otherwise it is the gap with line breaks replaced by
/// spaces, or one space if the gap is empty.
std::string sentence_separator(std::string_view before, std::string_view gap,
                               std::string_view after);

}  // namespace tfm
