// The tokenizers of sacreBLEU. Each function returns the tokens of a line, joined by single spaces.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Separates ASCII punctuation from words (TokenizerRegexp of sacreBLEU). Periods and commas are
/// separated unless they are between digits, hyphens only if they follow a digit, and apostrophes
/// never.
std::string separate_punctuation(std::string_view text);

/// Tokenizes as mteval-v13a does: decodes the entities &quot; &amp; &lt; &gt;, removes "<skipped>",
/// and applies separate_punctuation.
std::string tokenize_13a(std::string_view line);

/// Separates each Chinese character (as defined by sacreBLEU), and then ASCII punctuation.
std::string tokenize_zh(std::string_view line);

/// Tokenizes as mteval-v14 does for international text: separates Unicode's symbols, and
/// punctuation unless it is between digits. Unlike 13a, it does not separate a period after a digit
/// at the end of the line.
std::string tokenize_intl(std::string_view line);

/// Separates all characters.
std::string tokenize_characters(std::string_view line);

}  // namespace tfm
