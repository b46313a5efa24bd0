// How often the short sequences of letters (n-grams) of a text occur. Only letters and the ends of
// words count: text is in lower case, and each run of other characters is one space. Counts of
// several texts can be added, so counts of a language can be those of several corpora.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tfm {

/// Up to four letters or spaces of 16 bits each, the last in the lowest bits; 0 if there are none.
/// All letters outside Unicode's basic multilingual plane are one letter, U+FFFD.
using LetterNgram = std::uint64_t;
inline constexpr std::size_t longest_ngram = 4;

std::size_t ngram_length(LetterNgram ngram);
/// Returns the n-gram of the last `length` letters.
LetterNgram last_letters(LetterNgram ngram, std::size_t length);
/// Returns the n-gram without its last letter.
inline LetterNgram ngram_history(LetterNgram ngram) { return ngram >> 16U; }

/// Returns the letters as UTF-8.
std::string ngram_text(LetterNgram ngram);
/// Returns the n-gram of a text of one to four letters, otherwise nullopt.
std::optional<LetterNgram> ngram_from(std::string_view text);

/// Letters in lower case, with one space before, between and after words.
class LetterText {
 public:
  explicit LetterText(std::string_view text);

  /// Returns the number of letters and spaces.
  std::size_t size() const { return letters_.size(); }
  /// Returns the `length` letters before letter `end`, at most longest_ngram.
  LetterNgram before(std::size_t end, std::size_t length) const;

 private:
  void end_word();

  std::u16string letters_;
};

/// The number of n-grams that are learnt of a language. They are 100 KB in a model's folder.
inline constexpr std::size_t most_ngrams = 8'000;

class LetterNgramCounts {
 public:
  /// Adds the n-grams of all lengths in the text, except the space before its first word.
  void add(std::string_view text);
  void add(const LetterNgramCounts& other);
  /// Adds an n-gram that occurs so often.
  void add(LetterNgram ngram, std::int64_t count);
  /// Removes all but the most frequent n-grams. Of equally frequent ones, the shorter are kept,
  /// then those that are smaller as numbers.
  void keep_most_frequent(std::size_t most);

  const std::unordered_map<LetterNgram, std::int64_t>& counts() const { return counts_; }

 private:
  std::unordered_map<LetterNgram, std::int64_t> counts_;
};

}  // namespace tfm
