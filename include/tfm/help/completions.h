// Scripts that complete commands, options and their values in a shell: `tfm completions SHELL`.
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
