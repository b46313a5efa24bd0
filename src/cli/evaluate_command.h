// `tfm evaluate`: computes BLEU, chrF2 and TER of a model or of existing translations.
#pragma once

#include "evaluate_options.h"
#include "tfm/help/command.h"

namespace tfm {

int run_evaluate(const EvaluateOptions& options);
Command evaluate_command(Run<EvaluateOptions> run = run_evaluate);

}  // namespace tfm
