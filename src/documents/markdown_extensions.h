// What programs for books and web sites add to Markdown, and no language has: formulas, containers
// and shortcodes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "text_document.h"

namespace tfm {

/// Returns the length of the formula ($x_1$, $$x$$) or shortcode ({{< x >}}, {{% x %}}) that begins
/// at offset `at` of running text, or 0. Prices such as $5 are not formulas.
std::size_t markdown_extension_length(std::string_view text, std::size_t at);

/// Returns how many of the lines, from the first on, are a block of an extension: the begin or end
/// of a container (:::), a line of shortcodes, or a formula between lines with $$. `lines` are
/// those of `text` that follow the lines that have been read.
std::size_t markdown_extension_lines(std::string_view text, std::span<const TextLine> lines);

}  // namespace tfm
