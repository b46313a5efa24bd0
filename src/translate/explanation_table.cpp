#include "tfm/translate/explanation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Counts code points: the columns of a terminal, except for wide East Asian characters.
std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t position = 0; position < text.size(); ++count) next_code_point(text, position);
  return count;
}

double percent(float log_prob) { return 100 * std::exp(static_cast<double>(log_prob)); }

}  // namespace

std::string explanation_table(const Candidate& candidate) {
  std::size_t width = 0;
  for (const auto& token : candidate.explanation)
    width = std::max(width, count_code_points(token.piece));
  std::string table;
  for (const auto& token : candidate.explanation) {
    std::string line =
        fmt::format("  {:5.1f}%  {:<{}}", percent(token.log_prob), token.piece, width);
    for (const auto& [piece, log_prob] : token.alternatives)
      line += fmt::format("  {} {:.1f}%", piece, percent(log_prob));
    table += line + "\n";
  }
  return table;
}

}  // namespace tfm
