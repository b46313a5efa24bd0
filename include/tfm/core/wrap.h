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

/// Breaks a log message into lines of at most `width` characters (not bytes). `taken` columns of
/// the first line are already in use. A line ends between two fields, which are separated by two
/// spaces, or else at a space (also if only the first third would be left), but never inside `...`,
/// so that commands can be copied. The rest of a line is indented by two more columns. Longer words
/// stay whole. Adds no line feed at the end.
std::string wrap_message(std::string_view text, std::size_t width, std::size_t taken);

}  // namespace tfm
