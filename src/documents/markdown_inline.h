// The inline markup of Markdown (CommonMark, and the strikethrough of GitHub): emphasis, links,
// code, and HTML within text.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "inline_text.h"

namespace tfm {

/// Reads the text of a paragraph, heading or cell. `labels` are those of link references, in lower
/// case.
InlineText read_markdown(std::string_view text, const std::set<std::string, std::less<>>& labels);

/// Returns plain text with a backslash before each character that Markdown would read as markup.
std::string spell_markdown(std::string_view plain);

/// Returns the text with a backslash if it would otherwise begin a block, such as a heading.
std::string escape_block_start(std::string text);

}  // namespace tfm
