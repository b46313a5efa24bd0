#include "tfm/metrics/chrf.h"

#include <fmt/format.h>

#include <cstddef>

#include "line_pairs.h"
#include "ngrams.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr std::size_t chrf_order = 6;
constexpr double beta_squared = 4;  // recall counts twice as much as precision

}  // namespace

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& line) {
  for (std::size_t i = 0; i < chrf_order; ++i) {
    hypothesis[i] += line.hypothesis[i];
    reference[i] += line.reference[i];
    matches[i] += line.matches[i];
  }
  return *this;
}

ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference) {
  const std::u32string hypothesis_symbols = code_points_without_spaces(hypothesis);
  const std::u32string reference_symbols = code_points_without_spaces(reference);
  ChrfCounts line;
  std::array<NgramCounts, chrf_order> counts;
  count_ngrams(hypothesis_symbols, reference_symbols, counts);
  for (std::size_t i = 0; i < chrf_order; ++i) {
    // As in sacreBLEU, an order does not count if the reference is too short for it.
    if (counts[i].reference > 0) line.hypothesis[i] = counts[i].hypothesis;
    line.reference[i] = counts[i].reference;
    line.matches[i] = counts[i].matches;
  }
  return line;
}

// Precision and recall are averaged over the orders first, and only over orders of which both sides
// have n-grams ("effective order").
double chrf_score(const ChrfCounts& counts) {
  double precision = 0;
  double recall = 0;
  int orders = 0;
  for (std::size_t i = 0; i < chrf_order; ++i) {
    if (counts.hypothesis[i] == 0 || counts.reference[i] == 0) continue;
    precision += static_cast<double>(counts.matches[i]) / static_cast<double>(counts.hypothesis[i]);
    recall += static_cast<double>(counts.matches[i]) / static_cast<double>(counts.reference[i]);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * (1 + beta_squared) * precision * recall / (beta_squared * precision + recall);
}

double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references) {
  require_pairs("chrF", hypotheses, references);
  ChrfCounts corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    corpus += chrf_counts(hypotheses[i], references[i]);
  return chrf_score(corpus);
}

std::string chrf_signature() {
  return fmt::format("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-{}", TFM_VERSION);
}

}  // namespace tfm
