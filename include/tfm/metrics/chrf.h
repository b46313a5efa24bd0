// chrF2 (Popovic 2015): character n-gram F-score with n 1..6 and beta 2, without white space, as
// sacreBLEU 2.6 computes it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// The n-grams of order 1..6 of a line and its reference, from which chrF is computed. A corpus has
/// the sums over its lines.
struct ChrfCounts {
  /// 0 for orders for which the line's reference is too short
  std::array<std::int64_t, 6> hypothesis{};
  std::array<std::int64_t, 6> reference{};
  std::array<std::int64_t, 6> matches{};

  ChrfCounts& operator+=(const ChrfCounts& line);
  bool operator==(const ChrfCounts&) const = default;
};

/// Counts the n-grams of a line.
ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference);

/// Returns the score, 0..100.
double chrf_score(const ChrfCounts& counts);

/// Returns the score of a corpus, 0..100. Throws DataError if the line counts differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

/// Returns the signature in sacreBLEU's form:
/// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-...".
std::string chrf_signature();

}  // namespace tfm
