// Escapes plain text for a Markdown page.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Escapes the characters < * [ and &, which Markdown would take for markup, except within `code`.
std::string escape_markdown(std::string_view text);

/// Escapes the text for a cell of a Markdown table: as escape_markdown does, and each |, because |
/// would end the cell even within `code`.
std::string markdown_cell(std::string_view text);

}  // namespace tfm
