// The inline markup of Markdown (CommonMark, and the strikethrough of GitHub): emphasis, links,
// code, and HTML within text.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inline_text.h"

namespace tfm {

/// Text between hard line breaks.
struct MarkdownPart {
  InlineText text;
  std::size_t breaks = 0;  ///< the number of line feeds before it in the text
};

/// Reads the text of a paragraph, heading or cell, in which a line feed is a hard line break.
/// Elements that continue after it are closed before it and opened again after it. In code, in an
/// image and in targets of links, a line feed is a space. `labels` are those of link references,
/// in lower case.
std::vector<MarkdownPart> read_markdown(std::string_view text,
                                        const std::set<std::string, std::less<>>& labels);

/// Returns plain text with a backslash before each character that Markdown would read as markup.
std::string spell_markdown(std::string_view plain);

/// Returns the text with a backslash if it would otherwise begin a block, such as a heading.
std::string escape_block_start(std::string text);

}  // namespace tfm
