// Formats help pages for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "tfm/help/help_page.h"

namespace tfm {

struct HelpStyle {
  std::size_t width = 100;  ///< maximum bytes per line; only a longer word exceeds it
  bool bold_titles = false;

  /// Returns the style for stdout. The width is the environment variable COLUMNS if that is a
  /// positive number, otherwise the width of the terminal, or 100 if that is unknown. Widths below
  /// 40 become 40, and widths above 100 become 100. Titles are bold if stdout may be coloured.
  static HelpStyle for_stdout();
};

/// Returns the page as text, with a line feed after each line.
std::string help_text(const HelpPage& page, const HelpStyle& style);

}  // namespace tfm
