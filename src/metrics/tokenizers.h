// The tokenizers of sacreBLEU, and the steps that some of them share. Each tokenizer returns the
// tokens of a line, joined by single spaces.
#pragma once

#include <string>
#include <string_view>

#include "tfm/metrics/ter.h"

namespace tfm {

/// Replaces each occurrence of `from`, from left to right. Does not search the replacements.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Decodes the entities &quot; &amp; &lt; &gt; in this order.
void decode_basic_entities(std::string& text);

/// Inserts spaces around ASCII punctuation, except apostrophes, periods, commas and hyphens.
std::string pad_symbols(std::string_view text);

/// Inserts spaces around periods and commas unless they are between digits, and around hyphens that
/// follow a digit.
std::string pad_stops_and_hyphens(std::string text);

/// Separates ASCII punctuation from words by both kinds of spaces (TokenizerRegexp of sacreBLEU).
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

/// Tokenizes as TER does (TercomTokenizer of sacreBLEU), by default at white space only.
std::string tokenize_tercom(std::string_view line, const TerOptions& options);

}  // namespace tfm
