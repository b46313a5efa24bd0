// Word alignments: links between the words of a sentence and of its translation. The text form is
// Pharaoh format: "0-0 1-2" has two links, each from a source word to a target word, counted
// from 0.
#pragma once

#include <compare>
#include <cstddef>
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

/// Parses such a line and returns all of its links, sure or only possible, sorted and each once.
/// Throws as parse_pharaoh does.
WordAlignment parse_word_links(std::string_view line, const std::string& where);

/// Returns the links from target to source.
WordAlignment exchanged(WordAlignment links);

/// The words [first, first + count) of a sentence.
struct WordRange {
  std::size_t first = 0;
  std::size_t count = 0;

  bool contains(std::int64_t word) const {
    return word >= static_cast<std::int64_t>(first) &&
           word < static_cast<std::int64_t>(first + count);
  }
  bool operator==(const WordRange&) const = default;
};

/// Consecutive words and their translation, which is consecutive, too. All of them are linked with
/// each other, directly or through further links, and no link leads out of the group.
struct LinkedWords {
  WordRange source;
  WordRange target;

  bool operator==(const LinkedWords&) const = default;
};

/// Returns the groups of linked words with at most `most` words on each side, in the order of the
/// source.
std::vector<LinkedWords> linked_words(const WordAlignment& links, std::size_t most);

/// Reads one alignment per line. Throws DataError if the file cannot be read, or with the line
/// number if a line is malformed.
std::vector<GoldAlignment> read_alignments(const std::filesystem::path& file);

}  // namespace tfm
