#include <gtest/gtest.h>

#include "property.h"
#include "tfm/tokenizer/tokenizer.h"
#include "tfm/translate/line_segmenter.h"

namespace tfm {
namespace {

const std::vector<std::string> pieces{"A",  "B.",           "aa",     "bb.", "c!", "Dr.",
                                      "3.", "\u4f60\u3002", "\u597d", "z?",  "C"};

/// Returns word tokenizers whose vocabulary consists of `pieces`.
TokenizerPair word_tokenizers() {
  TokenizerConfig config;
  config.kind = TokenizerKind::word;
  std::string line;
  for (const std::string& piece : pieces) line += piece + " ";
  return build_tokenizers(config, {line}, {line});
}

std::string any_line() {
  const auto words = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(rc::gen::elementOf(pieces),
                    rc::gen::elementOf(std::vector<std::string>{" ", " ", "  "})));
  std::string line;
  for (const auto& [word, gap] : words) line += word + gap;
  return line;
}

/// Returns the line with single spaces between words.
std::string single_spaced(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  }
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

TEST(LineSegmenterProperty, JoinedSegmentsEqualTheLineExceptForTheNumberOfSpaces) {
  const TokenizerPair tokenizers = word_tokenizers();
  check_property([&] {
    const std::string line = any_line();
    const auto limit = *rc::gen::inRange<std::int64_t>(1, 12);
    const auto wanted =
        *rc::gen::element(SplitSentences::automatic, SplitSentences::always, SplitSentences::never);
    const auto segmented = LineSegmenter(*tokenizers.source, limit, wanted).segment(line);
    std::string joined;
    for (const LineSegment& part : segmented.segments) {
      RC_ASSERT(!part.ids.empty());
      RC_ASSERT(std::ssize(part.ids) <= limit);
      RC_ASSERT(line.find(part.gap) != line.npos);
      joined += part.gap + tokenizers.source->decode(part.ids);
    }
    RC_ASSERT(single_spaced(joined) == single_spaced(line));
    if (!segmented.segments.empty()) RC_ASSERT(segmented.segments.front().gap.empty());
    RC_ASSERT(segmented.unknown.empty());
  });
}

TEST(LineSegmenterProperty, KeepsALineInOneSegmentWhenItFits) {
  const TokenizerPair tokenizers = word_tokenizers();
  check_property([&] {
    const std::string line = any_line();
    const auto ids = tokenizers.source->encode(line);
    const auto limit = std::ssize(ids) + *rc::gen::inRange<std::int64_t>(1, 3);
    const auto wanted = *rc::gen::element(SplitSentences::automatic, SplitSentences::never);
    const auto segmented = LineSegmenter(*tokenizers.source, limit, wanted).segment(line);
    RC_ASSERT(!segmented.was_split);
    RC_ASSERT(segmented.segments.size() == (ids.empty() ? 0U : 1U));
    if (!ids.empty()) RC_ASSERT(segmented.segments.front().ids == ids);
  });
}

}  // namespace
}  // namespace tfm
