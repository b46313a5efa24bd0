// Word alignments: links between the words of a sentence and of its translation, and their error
// rate against gold alignments. The text form is Pharaoh format: "0-0 1-2" has two links, each from
// a source word to a target word, counted from 0.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct WordLink {
  std::int64_t source = 0;
  std::int64_t target = 0;

  auto operator<=>(const WordLink&) const = default;
};

using WordAlignment = std::vector<WordLink>;

/// Formats links in Pharaoh format.
std::string format_pharaoh(const WordAlignment& links);

/// A manual alignment of a sentence pair.
struct GoldAlignment {
  WordAlignment sure;  ///< the links that are certain
  /// the links that are possible but not sure
  WordAlignment possible;
};

/// Parses a line such as "0-0 1p2", in which 1p2 is possible but not sure. Throws DataError with
/// the location `where` if the line is malformed.
GoldAlignment parse_pharaoh(std::string_view line, const std::string& where);

/// Reads one alignment per line. Throws DataError if the file cannot be read, or with the line
/// number if a line is malformed.
std::vector<GoldAlignment> read_alignments(const std::filesystem::path& file);

/// Returns the alignment error rate (Och and Ney 2003, section 6): 1 - (|A and S| + |A and P|) /
/// (|A| + |S|) over all sentences. A is the set of the links found, S of the sure links, and P of
/// the sure and the possible links. 0 is perfect, 1 is worst. The rate is 0 if A and S are empty.
/// `found` and `gold` have the same size.
double alignment_error_rate(const std::vector<WordAlignment>& found,
                            const std::vector<GoldAlignment>& gold);

}  // namespace tfm
