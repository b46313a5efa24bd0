// TER, the translation edit rate (Snover et al. 2006), as sacreBLEU 2.6 computes it after the
// program tercom: the number of edits that turn a hypothesis into a reference, per word of the
// reference. An edit inserts, deletes or replaces a word, or moves a block of words. Lower is
// better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// How a line is divided into words. By default, case is ignored and words end at white space only.
/// The names are those of sacreBLEU's options.
struct TerOptions {
  bool normalized = false;  ///< true to separate punctuation, almost as the tokenizer 13a does
  bool no_punct = false;    ///< true to remove punctuation
  /// true to separate each Han character if `normalized` is true, and to remove punctuation of East
  /// Asian texts if `no_punct` is true; otherwise, it has no effect
  bool asian_support = false;
  bool case_sensitive = false;

  bool operator==(const TerOptions&) const = default;
};

/// The counts from which TER is computed, for a line and its references. The counts of a corpus are
/// the sums over its lines.
struct TerCounts {
  std::int64_t edits = 0;       ///< number of edits for the reference that needs the fewest
  double reference_length = 0;  ///< mean length of the references in words

  TerCounts& operator+=(const TerCounts& line);
  bool operator==(const TerCounts&) const = default;
};

/// Returns the counts of a line, which must have at least one reference.
TerCounts ter_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                     const TerOptions& options = {});

/// Returns the score of a corpus in percent, from the sum of the counts of its lines. The score is
/// 0 for equal texts, and exceeds 100 if there are more edits than reference words. If all
/// references are empty, the score is 0 or 100.
double ter_score(const TerCounts& counts);

/// Returns the score of a corpus with one reference per hypothesis. Throws DataError if the line
/// counts differ.
double corpus_ter(const std::vector<std::string>& hypotheses,
                  const std::vector<std::string>& references, const TerOptions& options = {});

/// Returns the signature in sacreBLEU's form:
/// "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:tfm-...".
std::string ter_signature(const TerOptions& options = {}, std::size_t references = 1);

}  // namespace tfm
