#include "tfm/translate/line_segmenter.h"

#include <algorithm>
#include <utility>

#include "tfm/text/sentences.h"

namespace tfm {
namespace {

/// Returns the text between two pointers into the same string.
std::string_view from_to(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

const char* begin_pointer(std::string_view text) { return text.data(); }
const char* end_pointer(std::string_view text) { return text.data() + text.size(); }

}  // namespace

/// Splits `ids` into segments of nearly equal length, none longer than the limit, and appends them
/// to `to`. `gap` is the white space before the first of them.
void LineSegmenter::add_evenly(SegmentedLine& to, const TokenIds& ids, std::string gap) const {
  const auto size = static_cast<std::int64_t>(ids.size());
  const std::int64_t count = (size + limit_ - 1) / limit_;
  to.was_split |= count > 1;
  for (std::int64_t i = 0; i < count; ++i) {
    TokenIds part(ids.begin() + size * i / count, ids.begin() + size * (i + 1) / count);
    if (i > 0) gap.assign(tokenizer_.starts_word(part.front()) ? 1 : 0, ' ');
    if (to.segments.empty()) gap.clear();
    to.segments.push_back({std::move(part), gap});
  }
}

/// Appends the sentences of the line to `to`: one per segment if `each` is set, otherwise as many
/// per segment as fit. A sentence that is longer than the limit is split evenly.
void LineSegmenter::add_sentences(SegmentedLine& to, std::string_view line, bool each) const {
  const auto sentences = split_sentences(line);
  std::vector<std::int64_t> lengths;
  for (const auto sentence : sentences) lengths.push_back(std::ssize(tokenizer_.encode(sentence)));
  const char* before = nullptr;  // end of the previous segment's text; nullptr for none
  for (std::size_t first = 0; first < sentences.size();) {
    std::size_t last = first;
    for (auto sum = lengths[first];
         !each && last + 1 < sentences.size() && (sum += lengths[last + 1]) <= limit_;)
      ++last;
    const auto text = from_to(begin_pointer(sentences[first]), end_pointer(sentences[last]));
    const auto ids = tokenizer_.encode(text);
    if (!ids.empty()) {
      add_evenly(to, ids,
                 before != nullptr ? std::string(from_to(before, begin_pointer(text))) : "");
      before = end_pointer(text);
    }
    first = last + 1;
  }
}

SegmentedLine LineSegmenter::segment(std::string_view line) const {
  SegmentedLine result;
  if (is_blank(line)) return result;  // even if the tokenizer would find tokens in the line
  const auto ids = tokenizer_.encode(line, &result.unknown);
  const bool each = wanted_ == SplitSentences::always;
  const bool fits = std::ssize(ids) <= limit_;
  if (wanted_ == SplitSentences::never || (fits && !each)) {
    add_evenly(result, ids, "");
    return result;
  }
  result.was_split = !each;
  add_sentences(result, line, each);
  return result;
}

}  // namespace tfm
