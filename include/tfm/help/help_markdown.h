// Formats help pages as docs/commands.md, for `tfm help --format markdown`.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/help_page.h"

namespace tfm {

/// Returns a Markdown page with all commands. `program` is the page that lists the commands.
std::string help_markdown(const HelpPage& program, const std::vector<HelpPage>& commands);

}  // namespace tfm
