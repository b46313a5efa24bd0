// Breaks text into lines for people to read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfm {

/// Breaks text at spaces into lines of at most `width` bytes, each with the indent in front and a
/// line feed at the end. A line feed in the text stays a break. A word that is too long gets a
/// separate line.
std::string wrap_text(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace tfm
