// chrF2 (Popovic 2015), as sacreBLEU 2.6 computes it: the F-score, with beta 2, of character
// n-grams of orders 1 to 6 without white space. If word n-grams of orders 1 and 2 are added, the
// metric is chrF2++ (Popovic 2017).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct ChrfOptions {
  std::int64_t word_order = 0;  ///< highest order of word n-grams, 0 to 2; 2 gives chrF2++

  bool operator==(const ChrfOptions&) const = default;
};

/// The counts of n-grams from which chrF is computed, for a line and one reference: character
/// n-grams of order 1 to 6, followed by word n-grams of order 1 and 2. The counts of a corpus are
/// the sums over its lines.
struct ChrfCounts {
  static constexpr std::size_t orders = 8;

  /// number of n-grams in the hypothesis per order; 0 if the reference is too short for the order
  std::array<std::int64_t, orders> hypothesis{};
  std::array<std::int64_t, orders> reference{};
  std::array<std::int64_t, orders> matches{};

  ChrfCounts& operator+=(const ChrfCounts& line);
  bool operator==(const ChrfCounts&) const = default;
};

/// Returns the counts of a line for the reference with which the line scores highest. At least one
/// reference must be given.
ChrfCounts chrf_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                       const ChrfOptions& options = {});

/// Returns the score of a corpus, 0 to 100, from the sum of the counts of its lines.
double chrf_score(const ChrfCounts& counts);

/// Returns the score of a corpus, 0 to 100. Throws DataError if the line counts differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

/// Returns the name of the metric as sacreBLEU prints it: "chrF2", "chrF2+" or "chrF2++" for word
/// orders 0, 1 and 2.
std::string chrf_name(const ChrfOptions& options = {});

/// Returns the signature in sacreBLEU's form:
/// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-...".
std::string chrf_signature(const ChrfOptions& options = {}, std::size_t references = 1);

}  // namespace tfm
