// A table of a translation's tokens: one line per token, with its probability and the most probable
// alternatives.
#pragma once

#include <string>

#include "tfm/translate/translator.h"

namespace tfm {

/// Returns one line per token, with aligned columns: "   93.1%  house   home 3.2%  hut 0.8%".
/// Returns an empty text if the candidate has no explanation.
std::string explanation_table(const Candidate& candidate);

}  // namespace tfm
