#include "tfm/corpus/cleaning_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "tfm/core/format.h"
#include "tfm/pages/cleaning_page.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// The number of examples of each rule in text and JSON; the page has all.
constexpr std::size_t printed_examples = 3;

/// Returns some of the examples, from their whole range.
std::vector<CorpusPair> printed(const std::vector<CorpusPair>& examples) {
  const std::size_t count = std::min(printed_examples, examples.size());
  std::vector<CorpusPair> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(examples[i * examples.size() / count]);
  return chosen;
}

/// Returns at most the first `longest` characters, on one line and safe to print.
std::string excerpt(const std::string& text, std::size_t longest = 100) {
  const std::string valid = repair_utf8(text);
  std::size_t end = 0;
  for (std::size_t count = 0; count < longest && end < valid.size(); ++count)
    next_code_point(valid, end);
  return escape_controls(valid.substr(0, end)) + (end < valid.size() ? "..." : "");
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::ordered_json value_json(const Rule& rule, std::optional<double> value) {
  if (!value) return nullptr;
  if (rule.kind == RuleValue::number) return static_cast<std::int64_t>(*value);
  if (rule.kind == RuleValue::fraction) return *value;
  return true;
}

}  // namespace

std::string cleaning_report(const RuleValues& values, const CleaningCounts& counts) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} pairs: {} kept ({:.2f}%), {} dropped\n\n", group_digits(counts.pairs),
                 group_digits(counts.kept), percent(counts.kept, counts.pairs),
                 group_digits(counts.pairs - counts.kept));
  fmt::format_to(out, "{:<22}{:>8}{:>14}{:>9}\n", "rule", "value", "dropped", "%");
  for (std::size_t i = 0; i < rules().size(); ++i) {
    const std::string value = describe_rule_value(rules()[i], values[i]);
    if (!values[i]) {
      fmt::format_to(out, "{:<22}{:>8}\n", rules()[i].name, value);
      continue;
    }
    fmt::format_to(out, "{:<22}{:>8}{:>14}{:>8.2f}%\n", rules()[i].name, value,
                   group_digits(counts.dropped[i]), percent(counts.dropped[i], counts.pairs));
  }
  for (std::size_t i = 0; i < rules().size(); ++i) {
    if (counts.examples[i].empty()) continue;
    fmt::format_to(out, "\n{}: {}\n", rules()[i].name, rules()[i].summary);
    for (const CorpusPair& pair : printed(counts.examples[i]))
      fmt::format_to(out, "  line {}{}\n    {}\n    {}\n", pair.line,
                     pair.score ? fmt::format(": {:.4g}", *pair.score) : "", excerpt(pair.source),
                     excerpt(pair.target));
  }
  return text;
}

std::string cleaning_report_json(const RuleValues& values, const CleaningCounts& counts) {
  nlohmann::ordered_json report{{"pairs", counts.pairs},
                                {"kept", counts.kept},
                                {"dropped", counts.pairs - counts.kept},
                                {"rules", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < rules().size(); ++i) {
    auto examples = nlohmann::ordered_json::array();
    for (const CorpusPair& pair : printed(counts.examples[i])) {
      examples.push_back({{"line", pair.line},
                          {"source", repair_utf8(pair.source)},
                          {"target", repair_utf8(pair.target)}});
      if (pair.score) examples.back()["score"] = *pair.score;
    }
    report["rules"].push_back({{"name", rules()[i].name},
                               {"summary", rules()[i].summary},
                               {"value", value_json(rules()[i], values[i])},
                               {"dropped", counts.dropped[i]},
                               {"examples", std::move(examples)}});
  }
  return report.dump(2) + "\n";
}

std::string cleaning_report_page(const RuleValues& values, const CleaningCounts& counts,
                                 const CleaningSetting& setting) {
  constexpr std::size_t longest = 2000;  // characters of an example
  CleaningPageData page{.name = setting.name,
                        .pairs = counts.pairs,
                        .kept = counts.kept,
                        .source_language = setting.source_language,
                        .target_language = setting.target_language,
                        .facts = setting.facts,
                        .rules = {},
                        .generated = setting.time};
  for (std::size_t i = 0; i < rules().size(); ++i) {
    CleaningPageRule rule{.name = rules()[i].name,
                          .summary = rules()[i].summary,
                          .value = describe_rule_value(rules()[i], values[i]),
                          .is_on = values[i].has_value(),
                          .dropped = counts.dropped[i],
                          .examples = {}};
    for (const CorpusPair& pair : counts.examples[i])
      rule.examples.push_back(
          {pair.line, excerpt(pair.source, longest), excerpt(pair.target, longest), pair.score});
    page.rules.push_back(std::move(rule));
  }
  return cleaning_page_html(page);
}

}  // namespace tfm
