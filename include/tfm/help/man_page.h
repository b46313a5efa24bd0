// Help pages as a manual page: `tfm help --format man`.
#pragma once

#include <string>
#include <vector>

#include "tfm/help/help_page.h"

namespace tfm {

/// The page tfm(1) in the language of man(7), with all commands; `program` lists them.
std::string man_page(const HelpPage& program, const std::vector<HelpPage>& commands);

}  // namespace tfm
