#include "tfm/metrics/chrf.h"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cstddef>

#include "ngrams.h"
#include "tfm/core/error.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr std::size_t max_order = 6;
constexpr double beta_squared = 4;  // recall counts twice as much as precision

using OrderCounts = std::array<NgramCounts, max_order>;

void add_line(std::u32string_view hypothesis, std::u32string_view reference, OrderCounts& corpus) {
  for (std::size_t i = 0; i < max_order; ++i) {
    const NgramCounts line = count_ngrams(hypothesis, reference, i + 1);
    // As in sacreBLEU, a reference too short for an order excuses the hypothesis from it.
    if (line.reference > 0) corpus[i].hypothesis += line.hypothesis;
    corpus[i].reference += line.reference;
    corpus[i].matches += line.matches;
  }
}

// Precision and recall are averaged over the orders first, and only over those that both sides have n-grams of ("effective order").
double f_score(const OrderCounts& corpus) {
  double precision = 0;
  double recall = 0;
  int orders = 0;
  for (const NgramCounts& counts : corpus) {
    if (counts.hypothesis == 0 || counts.reference == 0) continue;
    precision += static_cast<double>(counts.matches) / static_cast<double>(counts.hypothesis);
    recall += static_cast<double>(counts.matches) / static_cast<double>(counts.reference);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return (1 + beta_squared) * precision * recall / (beta_squared * precision + recall);
}

}  // namespace

double corpus_chrf(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references) {
  if (hypotheses.size() != references.size()) {
    throw DataError("chrF", fmt::format("{} hypotheses but {} references", hypotheses.size(), references.size()),
                    "Give one reference line for each hypothesis line.");
  }
  OrderCounts corpus{};
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    add_line(code_points_without_spaces(hypotheses[i]), code_points_without_spaces(references[i]), corpus);
  }
  return 100 * f_score(corpus);
}

std::string chrf_signature() { return fmt::format("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-{}", TFM_VERSION); }

}  // namespace tfm
