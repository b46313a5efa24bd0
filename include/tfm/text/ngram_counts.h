// How often the short sequences of characters (n-grams) of a text occur. Only letters and the ends
// of words count: text is in lower case, and each run of other characters is one space. Counts of
// several texts can be added, so counts of a language can be those of several corpora.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfm {

/// Letters in lower case, with one space before, between and after words.
class LetterText {
 public:
  explicit LetterText(std::string_view text);

  /// Returns the number of characters.
  std::size_t size() const { return begins_.size() - 1; }
  /// Returns the `length` characters before character `end`.
  std::string_view before(std::size_t end, std::size_t length) const;

 private:
  std::string text_;
  std::vector<std::size_t> begins_;  // of each character, and the end of the text
};

/// Lets a hash table be searched for a std::string_view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

template <typename Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

class NgramCounts {
 public:
  static constexpr std::size_t longest = 4;  ///< characters of the longest n-gram

  /// Adds the n-grams of all lengths in the text, except the space before its first word.
  void add(std::string_view text);
  void add(const NgramCounts& other);
  /// Adds an n-gram that occurs so often.
  void add(std::string_view ngram, std::int64_t count);
  /// Removes all but the most frequent n-grams. Of equally frequent ones, the shorter are kept,
  /// then those first in the order of their bytes.
  void keep_most_frequent(std::size_t most);

  const TextMap<std::int64_t>& counts() const { return counts_; }

 private:
  TextMap<std::int64_t> counts_;
};

}  // namespace tfm
