// Help pages as the terminal shows them.
#pragma once

#include <cstddef>
#include <string>

#include "tfm/help/help_page.h"

namespace tfm {

struct HelpStyle {
  std::size_t width = 100;  ///< columns; no line is longer, unless a single word is
  bool bold_titles = false;

  /// The style for stdout: 100 columns, or fewer if COLUMNS or the terminal has fewer; bold titles
  /// if the terminal allows them.
  static HelpStyle for_stdout();
};

std::string help_text(const HelpPage& page, const HelpStyle& style);

}  // namespace tfm
