// The environment variables that tfm reads: `tfm help environment`, a section of docs/commands.md
// and of the manual page. tests/architecture checks that no variable is missing.
#pragma once

#include "tfm/help/help_page.h"

namespace tfm {

/// The word that `tfm help` takes for the page, besides the names of commands.
inline constexpr const char* environment_topic = "environment";

/// Returns the page of the environment variables. It has no usage and no examples.
HelpPage environment_page();

}  // namespace tfm
