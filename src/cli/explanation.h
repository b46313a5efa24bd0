// A translation's tokens for a person to read: one a line, with its probability and what the model
// would have said next best.
#pragma once

#include <string>

#include "tfm/translate/translator.h"

namespace tfm {

/// "   93.1%  house   home 3.2%  hut 0.8%", a line a token, columns aligned; empty where the
/// candidate is not explained.
std::string explanation_table(const Candidate& candidate);

}  // namespace tfm
