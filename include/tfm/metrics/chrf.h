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

/// The n-grams of a line and its reference from which chrF is computed: of characters, order 1..6,
/// followed by those of words, order 1 and 2. A corpus has the sums over its lines.
struct ChrfCounts {
  static constexpr std::size_t orders = 8;

  /// 0 for orders for which the line's reference is too short
  std::array<std::int64_t, orders> hypothesis{};
  std::array<std::int64_t, orders> reference{};
  std::array<std::int64_t, orders> matches{};

  ChrfCounts& operator+=(const ChrfCounts& line);
  bool operator==(const ChrfCounts&) const = default;
};

/// Counts a line against the reference, of at least one, for which its score is best.
ChrfCounts chrf_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                       const ChrfOptions& options = {});

/// Returns the score, 0..100.
double chrf_score(const ChrfCounts& counts);

/// Returns the score of a corpus, 0..100. Throws DataError if the line counts differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references);

/// Returns the name of the metric as sacreBLEU prints it: "chrF2", or "chrF2++" with bigrams of
/// words.
std::string chrf_name(const ChrfOptions& options = {});

/// Returns the signature in sacreBLEU's form:
/// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:tfm-...".
std::string chrf_signature(const ChrfOptions& options = {}, std::size_t references = 1);

}  // namespace tfm
