// Shows what cleaning a corpus did on a self-contained HTML page that loads no other files: the
// totals, each rule with its value, its count and a bar, and dropped pairs of each rule. The input
// is plain numbers and text. Text may contain markup, because the page stores all text as JSON and
// inserts it as plain text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

struct CleaningPageExample {
  std::int64_t line = 0;
  std::string source;
  std::string target;
  std::optional<double> score{};  ///< what the rule measured
};

struct CleaningPageRule {
  std::string name;     ///< "max_words"
  std::string summary;  ///< which pairs the rule drops
  std::string value;    ///< "150", "on" or "off"
  bool is_on = true;
  std::int64_t dropped = 0;
  std::vector<CleaningPageExample> examples;
};

struct CleaningPageData {
  std::string name;  ///< the title, such as the name of the corpus
  std::int64_t pairs = 0;
  std::int64_t kept = 0;
  std::string source_language;  ///< a code such as "de"; may be empty
  std::string target_language;
  /// pairs of name and value, such as {"Read", "raw.de, raw.en"}
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<CleaningPageRule> rules;  ///< in the order in which they are applied
  std::string generated;                ///< the time at which the page was generated
};

/// Returns the HTML of the page.
std::string cleaning_page_html(const CleaningPageData& data);

}  // namespace tfm
