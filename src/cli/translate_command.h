// `tfm translate`: translates lines.
#pragma once

#include "tfm/help/command.h"
#include "translate_options.h"

namespace tfm {

int run_translate(const TranslateOptions& options);
Command translate_command(Run<TranslateOptions> run = run_translate);

}  // namespace tfm
