// Escapes plain text for a Markdown page.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Escapes the characters < * [ and &, which Markdown would take for markup, except within `code`.
std::string escape_markdown(std::string_view text);

/// Returns the text as a cell of a Markdown table, where | would end the cell even within `code`.
std::string markdown_cell(std::string_view text);

}  // namespace tfm
