// The tokenizers of BLEU, equal to those of sacreBLEU 2.6. A score depends on the tokenizer. For
// example, 13a does not split Chinese text: a sentence is then a single token that matches only if
// all its characters are correct.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// Returns the tokens of a line, joined by single spaces. The tokenizer must not be automatic.
///   mteval_13a  separates ASCII punctuation, except apostrophes, hyphens that do not follow a
///               digit, and periods and commas between digits. Decodes the entities &quot; &amp;
///               &lt; &gt; and removes "<skipped>"
///   zh          separates each Chinese character, then ASCII punctuation as 13a does
///   character   separates all characters
///   intl        separates Unicode symbols, and Unicode punctuation unless it is between digits
///   none        separates at white space only
std::string tokenize_for_bleu(std::string_view line, BleuTokenizer tokenizer);

/// Returns `tokenizer`, unless it is automatic. In that case, returns the tokenizer that fits the
/// script of the references: 13a if less than a quarter of their characters belong to scripts
/// without spaces between words, otherwise zh for Han, and `character` for Hiragana, Katakana,
/// Thai, Lao, Khmer and Myanmar.
BleuTokenizer resolve_bleu_tokenizer(BleuTokenizer tokenizer,
                                     const std::vector<std::string>& references);

}  // namespace tfm
