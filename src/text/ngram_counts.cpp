#include "tfm/text/ngram_counts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "tfm/text/characters.h"
#include "tfm/text/letter_case.h"
#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

bool separates_words(char32_t c) {
  constexpr char32_t replacement = 0xfffd;
  return is_space(c) || is_control(c) || c == replacement ||
         unicode_category(c) != UnicodeCategory::other;
}

}  // namespace

LetterText::LetterText(std::string_view text) : text_(" "), begins_{0} {
  const std::string lower = lowercase(text) + ' ';
  bool is_in_word = false;
  for (std::size_t position = 0; position < lower.size();) {
    const std::size_t begin = position;
    const bool is_letter = !separates_words(next_code_point(lower, position));
    if (!is_letter && !is_in_word) continue;
    begins_.push_back(text_.size());
    text_ += is_letter ? std::string_view(lower).substr(begin, position - begin) : " ";
    is_in_word = is_letter;
  }
  begins_.push_back(text_.size());
}

std::string_view LetterText::before(std::size_t end, std::size_t length) const {
  const std::size_t begin = begins_[end - length];
  return std::string_view(text_).substr(begin, begins_[end] - begin);
}

void NgramCounts::add(std::string_view text) {
  const LetterText letters(text);
  for (std::size_t end = 2; end <= letters.size(); ++end)
    for (std::size_t length = 1; length <= std::min(longest, end); ++length)
      add(letters.before(end, length), 1);
}

void NgramCounts::add(const NgramCounts& other) {
  for (const auto& [ngram, count] : other.counts_) add(ngram, count);
}

void NgramCounts::add(std::string_view ngram, std::int64_t count) {
  const auto found = counts_.find(ngram);
  if (found != counts_.end()) {
    found->second += count;
  } else {
    counts_.emplace(ngram, count);
  }
}

void NgramCounts::keep_most_frequent(std::size_t most) {
  if (counts_.size() <= most) return;
  std::vector<std::pair<std::string, std::int64_t>> all(counts_.begin(), counts_.end());
  const auto rank = [](const auto& entry) {
    return std::tuple(-entry.second, entry.first.size(), std::string_view(entry.first));
  };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(all, end, {}, rank);
  counts_ = TextMap<std::int64_t>(all.begin(), end);
}

}  // namespace tfm
