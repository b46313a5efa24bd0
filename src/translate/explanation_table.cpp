#include "tfm/translate/explanation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tfm/core/format.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Returns the token in a form that is safe to print on one line of a terminal.
std::string printed(const std::string& token) {
  return replace_line_breaks(escape_controls(token));
}

double percent(float log_prob) { return 100 * std::exp(static_cast<double>(log_prob)); }

}  // namespace

std::string explanation_table(const Candidate& candidate) {
  std::size_t width = 0;  // as on a terminal, wide East Asian characters excepted
  for (const auto& token : candidate.explanation)
    width = std::max(width, count_code_points(printed(token.piece)));
  std::string table;
  for (const auto& token : candidate.explanation) {
    const auto piece = printed(token.piece);
    std::string line = fmt::format("  {:5.1f}%  {}{}", percent(token.log_prob), piece,
                                   std::string(width - count_code_points(piece), ' '));
    for (const auto& [other, log_prob] : token.alternatives)
      line += fmt::format("  {} {:.1f}%", printed(other), percent(log_prob));
    table += line + "\n";
  }
  return table;
}

}  // namespace tfm
