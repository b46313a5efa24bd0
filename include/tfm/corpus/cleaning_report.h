// What cleaning did, as text, as JSON and as a page: each rule with its value, its count and
// examples.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tfm/corpus/cleaning.h"

namespace tfm {

/// Returns a table of all rules, and examples of dropped pairs, shortened to fit on a line.
std::string cleaning_report(const RuleValues& values, const CleaningCounts& counts);

/// Returns a JSON object (docs/file-formats.md). Invalid UTF-8 in examples is replaced by U+FFFD.
std::string cleaning_report_json(const RuleValues& values, const CleaningCounts& counts);

/// What the page says besides the counts.
struct CleaningSetting {
  std::string name;             ///< the title
  std::string source_language;  ///< empty if it is unknown
  std::string target_language;
  std::vector<std::pair<std::string, std::string>> facts;  ///< names and values
  std::string time;                                        ///< the time of the cleaning
};

/// Returns an HTML page (pages/cleaning_page.h) with all examples, each side shortened to 2,000
/// characters.
std::string cleaning_report_page(const RuleValues& values, const CleaningCounts& counts,
                                 const CleaningSetting& setting);

}  // namespace tfm
