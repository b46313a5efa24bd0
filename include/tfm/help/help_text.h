// Formats help pages for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "tfm/help/help_page.h"

namespace tfm {

struct HelpStyle {
  std::size_t width = 100;  ///< columns; no line is longer, unless a single word is
  bool bold_titles = false;

  /// Returns the style for stdout: 100 columns, or fewer if COLUMNS or the terminal has fewer; bold
  /// titles if the terminal allows them.
  static HelpStyle for_stdout();
};

/// Returns the page as text, with a line feed after each line.
std::string help_text(const HelpPage& page, const HelpStyle& style);

}  // namespace tfm
