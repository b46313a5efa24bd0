// What cleaning did, as text and as JSON: each rule with its value, its count and examples.
#pragma once

#include <string>

#include "tfm/corpus/cleaning.h"

namespace tfm {

/// Returns a table of all rules, and examples of dropped pairs, shortened to fit on a line.
std::string cleaning_report(const RuleValues& values, const CleaningCounts& counts);

/// Returns a JSON object (docs/file-formats.md). Invalid UTF-8 in examples is replaced by U+FFFD.
std::string cleaning_report_json(const RuleValues& values, const CleaningCounts& counts);

}  // namespace tfm
