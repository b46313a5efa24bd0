#include "tfm/text/letter_ngrams.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>
#include <vector>

#include "tfm/text/characters.h"
#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr char16_t space = u' ';
constexpr char16_t sigma = u'σ';
constexpr char16_t final_sigma = u'ς';
constexpr char16_t rare_letter = u'\uFFFD';
constexpr std::size_t letter_bits = 16;

/// Returns a letter in lower case, or a space if the code point separates words.
char16_t classify(char32_t c) {
  const bool separates = is_space(c) || is_control(c) || c >= U'\uFFFD' ||
                         unicode_category(c) != UnicodeCategory::other;
  return separates ? space : static_cast<char16_t>(lowercase_letter(c));
}

char16_t letter_of(char32_t c) {
  static const auto table = [] {
    std::vector<char16_t> letters(0x10000);
    for (char32_t each = 0; each < letters.size(); ++each) letters[each] = classify(each);
    return letters;
  }();
  if (c < table.size()) return table[c];
  return unicode_category(c) == UnicodeCategory::other ? rare_letter : space;
}

}  // namespace

std::size_t ngram_length(LetterNgram ngram) {
  return (static_cast<std::size_t>(std::bit_width(ngram)) + letter_bits - 1) / letter_bits;
}

LetterNgram last_letters(LetterNgram ngram, std::size_t length) {
  return length >= longest_ngram ? ngram : ngram & ((LetterNgram{1} << length * letter_bits) - 1);
}

std::string ngram_text(LetterNgram ngram) {
  std::string text;
  for (std::size_t length = ngram_length(ngram); length > 0; --length)
    text += encode_utf8(static_cast<char16_t>(ngram >> (length - 1) * letter_bits));
  return text;
}

std::optional<LetterNgram> ngram_from(std::string_view text) {
  LetterNgram ngram = 0;
  std::size_t length = 0;
  for (std::size_t position = 0; position < text.size(); ++length) {
    const char32_t c = next_code_point(text, position);
    const char16_t letter = c == rare_letter ? rare_letter : letter_of(c);
    const bool is_letter = c == space || (letter != space && (letter == c || c > 0xffff));
    if (!is_letter || length == longest_ngram) return std::nullopt;
    ngram = ngram << letter_bits | letter;
  }
  return length > 0 ? std::optional(ngram) : std::nullopt;
}

LetterText::LetterText(std::string_view text) : letters_(1, space) {
  letters_.reserve(text.size() + 2);
  for (std::size_t position = 0; position < text.size();) {
    const char16_t letter = letter_of(next_code_point(text, position));
    if (letter != space) {
      letters_ += letter;
    } else {
      end_word();
    }
  }
  end_word();
}

LetterNgram LetterText::before(std::size_t end, std::size_t length) const {
  LetterNgram ngram = 0;
  for (std::size_t i = end - length; i < end; ++i) ngram = ngram << letter_bits | letters_[i];
  return ngram;
}

void LetterText::end_word() {
  if (letters_.back() == space) return;
  const bool ends_word = letters_[letters_.size() - 2] != space;  // of several letters
  if (letters_.back() == sigma && ends_word) letters_.back() = final_sigma;
  letters_ += space;
}

void LetterNgramCounts::add(std::string_view text) {
  const LetterText letters(text);
  for (std::size_t end = 2; end <= letters.size(); ++end) {
    const auto longest = std::min(longest_ngram, end);
    const LetterNgram ngram = letters.before(end, longest);
    for (std::size_t length = 1; length <= longest; ++length) add(last_letters(ngram, length), 1);
  }
}

void LetterNgramCounts::add(const LetterNgramCounts& other) {
  for (const auto& [ngram, count] : other.counts_) add(ngram, count);
}

void LetterNgramCounts::add(LetterNgram ngram, std::int64_t count) { counts_[ngram] += count; }

void LetterNgramCounts::keep_most_frequent(std::size_t most) {
  if (counts_.size() <= most) return;
  std::vector<std::pair<LetterNgram, std::int64_t>> all(counts_.begin(), counts_.end());
  // A shorter n-gram is the smaller number.
  const auto rank = [](const auto& entry) { return std::tuple(-entry.second, entry.first); };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(all, end, {}, rank);
  counts_ = {all.begin(), end};
}

}  // namespace tfm
