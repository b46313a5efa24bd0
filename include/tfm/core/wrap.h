// Wraps text to the width of a terminal or page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfm {

/// Breaks text at spaces into lines of at most `width` bytes, including the indent before each
/// non-empty line. Each line ends with a line feed. Line feeds in the text remain line ends, and a
/// word that is too long gets a separate line.
std::string wrap_text(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace tfm
