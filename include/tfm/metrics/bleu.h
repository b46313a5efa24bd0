// Corpus BLEU (Papineni et al. 2002) as sacreBLEU computes it: 13a tokenisation, mixed case,
// exponential smoothing, one reference. Equal to sacreBLEU 2.6 to the last printed digit;
// tests/metrics/golden holds its own values for hundreds of corpora.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// What BLEU knows of a line and its reference. The counts of a corpus are the sums of its lines'.
struct BleuCounts {
  /// n-grams of order 1..4 found in the reference, clipped, before smoothing
  std::array<std::int64_t, 4> matches{};
  std::array<std::int64_t, 4> totals{};  ///< n-grams of order 1..4 in the hypothesis
  std::int64_t hypothesis_length = 0;    ///< tokens
  std::int64_t reference_length = 0;     ///< tokens

  BleuCounts& operator+=(const BleuCounts& line);
  bool operator==(const BleuCounts&) const = default;
};

struct BleuScore : BleuCounts {
  double score = 0;                    ///< 0..100
  std::array<double, 4> precisions{};  ///< percent, after smoothing; all 0 where nothing matched
  double brevity_penalty = 0;          ///< 0..1

  /// As sacreBLEU prints it: "BLEU = 41.02 70.1/48.2/34.0/24.3 (BP = 0.987 ratio = 0.987 hyp_len =
  /// 12103 ref_len = 12262)".
  std::string format() const;
  /// What stands after the score there.
  std::string format_details() const;
};

/// sacreBLEU's 13a (mteval-v13a) tokenisation, joined by single spaces. Symbols become words of
/// their own; a period or comma does so unless it stands between digits, a hyphen after a digit;
/// the entities &quot; &amp; &lt; &gt; are decoded and "<skipped>" is dropped.
std::string tokenize_13a(std::string_view line);

/// tokenize: false takes the lines as tokenised by whitespace.
BleuCounts bleu_counts(std::string_view hypothesis, std::string_view reference,
                       bool tokenize = true);

BleuScore bleu_score(const BleuCounts& counts);

/// Corpus BLEU, one reference a hypothesis. The score is 0 where no 4-gram can be counted
/// (every hypothesis shorter than 4 tokens) and for no lines at all. Throws DataError where the
/// counts differ.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::string>& references, bool tokenize = true);

/// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tfm-..." in sacreBLEU's form.
std::string bleu_signature(bool tokenize = true);

}  // namespace tfm
