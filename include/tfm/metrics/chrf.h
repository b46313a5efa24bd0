// chrF2 (Popovic 2015): character n-gram F-score, n 1..6, beta 2, whitespace removed, as
// sacreBLEU 2.6 computes it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// What chrF knows of a line and its reference: n-grams of order 1..6. The counts of a corpus are
/// the sums of its lines'.
struct ChrfCounts {
  /// 0 for an order that the line's reference is too short for
  std::array<std::int64_t, 6> hypothesis{};
  std::array<std::int64_t, 6> reference{};
  std::array<std::int64_t, 6> matches{};

  ChrfCounts& operator+=(const ChrfCounts& line);
  bool operator==(const ChrfCounts&) const = default;
};

ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference);

/// 0..100.
double chrf_score(const ChrfCounts& counts);

/// 0..100. Throws DataError where the counts differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

/// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-..." in sacreBLEU's form.
std::string chrf_signature();

}  // namespace tfm
