// Word alignments: links between words of a sentence and of its translation, in Pharaoh format
// ("0-0 1-2": source word - target word, from 0), and how far they are from alignments that people
// made.
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

/// "0-0 1-2"
std::string format_pharaoh(const WordAlignment& links);

/// What people say of a sentence pair: links that are sure, and links that are possible without
/// being sure.
struct GoldAlignment {
  WordAlignment sure;
  /// the others; sure links are possible as well and are not repeated here
  WordAlignment possible;
};

/// "0-0 1p2": 1p2 is possible, not sure. Throws DataError naming `where`.
GoldAlignment parse_pharaoh(std::string_view line, const std::string& where);

/// One alignment a line. Throws DataError with file and line.
std::vector<GoldAlignment> read_alignments(const std::filesystem::path& file);

/// Alignment error rate (Och and Ney 2003, section 6): 1 - (|A and S| + |A and P|) / (|A| + |S|)
/// over all sentences, where A are the links found, S the sure and P the possible ones. 0 is
/// perfect, 1 worst. As many of one as of the other.
double alignment_error_rate(const std::vector<WordAlignment>& found,
                            const std::vector<GoldAlignment>& gold);

}  // namespace tfm
