// Corpus BLEU (Papineni et al. 2002) as sacreBLEU computes it, with exponential smoothing. Scores
// equal those of sacreBLEU 2.6 to the last printed digit; the tests compare them on hundreds of
// corpora (tests/metrics/golden).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/metrics/bleu_tokenizer.h"

namespace tfm {

struct BleuOptions {
  /// must not be automatic; resolve_bleu_tokenizer() replaces that value
  BleuTokenizer tokenizer = BleuTokenizer::mteval_13a;
  bool lowercase = false;  ///< true to ignore case

  bool operator==(const BleuOptions&) const = default;
};

/// The counts from which BLEU is computed, for a line and its references. The counts of a corpus
/// are the sums over its lines.
struct BleuCounts {
  /// number of n-grams of each order, 1 to 4, that match a reference (clipped, not smoothed)
  std::array<std::int64_t, 4> matches{};
  std::array<std::int64_t, 4> totals{};  ///< number of n-grams of each order in the hypothesis
  std::int64_t hypothesis_length = 0;    ///< length of the hypothesis in tokens
  /// length in tokens of the reference that is closest in length to the hypothesis
  std::int64_t reference_length = 0;

  BleuCounts& operator+=(const BleuCounts& line);
  bool operator==(const BleuCounts&) const = default;
};

struct BleuScore : BleuCounts {
  double score = 0;                    ///< BLEU, from 0 to 100
  std::array<double, 4> precisions{};  ///< smoothed, in percent; 0 for all if nothing matches
  double brevity_penalty = 0;          ///< factor from 0 to 1

  /// Formats the score as sacreBLEU prints it: "BLEU = 41.02 70.1/48.2/34.0/24.3 (BP = 0.987 ratio
  /// = 0.987 hyp_len = 12103 ref_len = 12262)".
  std::string format() const;
  /// Formats the part of format() after the score.
  std::string format_details() const;
};

/// Returns the counts of a line, which must have at least one reference.
BleuCounts bleu_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                       const BleuOptions& options = {});

/// Returns the score of a corpus from the sum of the counts of its lines.
BleuScore bleu_score(const BleuCounts& counts);

/// Returns corpus BLEU with one reference per hypothesis. The score is 0 if no n-gram matches, or
/// if every hypothesis is shorter than 4 tokens. Throws DataError if the line counts differ.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::string>& references, const BleuOptions& options = {});

/// Returns the signature in sacreBLEU's form:
/// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tfm-...".
std::string bleu_signature(const BleuOptions& options = {}, std::size_t references = 1);

}  // namespace tfm
