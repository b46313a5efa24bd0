// Generates the scripts with which a shell completes commands, options and their values, for
// `tfm completions SHELL`.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/help_page.h"

namespace tfm {

enum class Shell { bash, zsh, fish };

/// Returns the script for `commands`, the pages of all commands. `program` is the page with the
/// general options.
std::string completion_script(Shell shell, const HelpPage& program,
                              const std::vector<HelpPage>& commands);

}  // namespace tfm
