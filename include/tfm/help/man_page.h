// Formats help pages as a manual page, for `tfm help --format man`.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/help_page.h"

namespace tfm {

/// Returns the page tfm(1), with all commands, in the macro language man(7). `program` is the page
/// that lists the commands.
std::string man_page(const HelpPage& program, const std::vector<HelpPage>& commands);

}  // namespace tfm
