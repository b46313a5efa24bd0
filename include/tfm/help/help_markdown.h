// Help pages as docs/commands.md: `tfm help --format markdown`.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/help_page.h"

namespace tfm {

/// The Markdown page of all commands; `program` lists them.
std::string help_markdown(const HelpPage& program, const std::vector<HelpPage>& commands);

}  // namespace tfm
