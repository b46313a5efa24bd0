#include "tfm/run/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tfm/config/choices.h"

namespace tfm {
namespace {

/// Returns the number of rows that the text takes on a terminal. Wide characters count as one
/// column, too.
std::size_t count_rows(const std::string& text, std::size_t columns) {
  std::size_t rows = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto width = static_cast<std::size_t>(
        std::ranges::count_if(line, [](unsigned char byte) { return (byte & 0xC0U) != 0x80U; }));
    rows += std::max<std::size_t>(1, (width + columns - 1) / columns);
  }
  return rows;
}

}  // namespace

double Validation::score(BestBy by) const {
  const auto& metric = validation_metric(by);
  return metric.to_score(scores.*metric.value);
}

std::string describe(const Sample& sample) {
  return fmt::format("sample\n    source     {}\n    model      {}\n    reference  {}",
                     sample.source, sample.hypothesis, sample.reference);
}

std::size_t samples_that_fit(const std::vector<Sample>& samples, const TerminalSize& terminal) {
  std::size_t left = terminal.rows / 3;
  std::size_t count = 0;
  for (const auto& sample : samples) {
    const auto rows = count_rows(describe(sample), terminal.columns);
    if (count > 0 && rows > left) break;
    left -= std::min(left, rows);
    ++count;
  }
  return count;
}

std::vector<std::string> format_scores(const ValidationScores& scores) {
  std::vector<std::string> parts;
  for (const auto& metric : validation_metrics) {
    parts.push_back(fmt::format("{} {:.{}f}", metric.name, scores.*metric.value, metric.decimals));
    if (metric.keyword == BestBy::bleu && scores.bleu_tokenizer != BleuTokenizer::mteval_13a)
      parts.back() += fmt::format(" (tok:{})", choice_name(scores.bleu_tokenizer));
  }
  return parts;
}

std::string describe(const ValidationScores& scores) {
  return fmt::format("{}", fmt::join(format_scores(scores), ", "));
}

}  // namespace tfm
