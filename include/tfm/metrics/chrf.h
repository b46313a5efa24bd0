// chrF2 (Popovic 2015): character n-gram F-score with n 1..6 and beta 2, without white space, as
// sacreBLEU 2.6 computes it. With word n-grams of orders 1 and 2 it is chrF2++ (Popovic 2017).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct ChrfOptions {
  std::int64_t word_order = 0;  ///< longest n-grams of words, 0..2; 2 is chrF2++
};

/// The counts of n-grams from which chrF is computed, for a line and one reference: character
/// n-grams of order 1 to 6, followed by word n-grams of order 1 and 2. The counts of a corpus are
/// the sums over its lines.
struct ChrfCounts {
  static constexpr std::size_t orders = 8;

  /// n-grams of the line per order; 0 for an order that the reference is too short for
  std::array<std::int64_t, orders> hypothesis{};
  std::array<std::int64_t, orders> reference{};
  std::array<std::int64_t, orders> matches{};

  ChrfCounts& operator+=(const ChrfCounts& line);
  bool operator==(const ChrfCounts&) const = default;
};

/// Returns the counts of a line with the reference that gives it the best score. At least one
/// reference must be given.
ChrfCounts chrf_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                       const ChrfOptions& options = {});

/// Returns the score of a corpus, 0 to 100, from the sum of the counts of its lines.
double chrf_score(const ChrfCounts& counts);

/// Returns the score of a corpus, 0 to 100. Throws DataError if the line counts differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

/// Returns the name of the metric as sacreBLEU prints it: "chrF2", or "chrF2++" with word n-grams
/// of order 2.
std::string chrf_name(const ChrfOptions& options = {});

/// Returns the signature in sacreBLEU's form:
/// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-...".
std::string chrf_signature(const ChrfOptions& options = {}, std::size_t references = 1);

}  // namespace tfm
