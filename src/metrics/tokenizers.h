// sacreBLEU's tokenizers, each in its own source. Tokens are returned joined by single spaces.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Separates ASCII punctuation from words. Periods and commas are separated unless they are between
/// digits, and hyphens if they follow a digit (TokenizerRegexp of sacreBLEU).
std::string separate_punctuation(std::string_view text);

/// mteval-v13a: separate_punctuation, after decoding the entities &quot; &amp; &lt; &gt; and
/// removing "<skipped>".
std::string tokenize_13a(std::string_view line);

/// Separates each Chinese character, as sacreBLEU defines them, and then ASCII punctuation.
std::string tokenize_zh(std::string_view line);

/// mteval-v14 for international text: separates Unicode's symbols, and punctuation unless it is
/// between digits. Unlike 13a, a period after a digit at the end of the line is not separated.
std::string tokenize_intl(std::string_view line);

/// Separates all characters.
std::string tokenize_characters(std::string_view line);

}  // namespace tfm
