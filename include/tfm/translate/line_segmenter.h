// Splits a line into segments, the units that the model translates. A line that is not too long is
// one segment. A longer line is split into segments of as many complete sentences as fit
// (text/sentences.h). With decoding.split_sentences, every sentence can instead become a segment,
// or sentence boundaries can be ignored. A sentence that is too long by itself is split into
// segments with nearly equal numbers of tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

struct LineSegment {
  TokenIds ids;  ///< without eos; never empty
  /// white space between the previous segment and this one; empty for the first segment, and if
  /// there is no white space at the split
  std::string gap;
};

struct SegmentedLine {
  std::vector<LineSegment> segments;  ///< empty if the line is blank or has no tokens
  std::vector<std::string> unknown;   ///< text that the vocabulary lacks (Tokenizer::encode)
  /// true if the line was longer than the limit; with SplitSentences::always, true if one of its
  /// sentences was longer
  bool was_split = false;
};

class LineSegmenter {
 public:
  /// `limit` is the maximum number of tokens per segment, at least 1. The tokenizer must outlive
  /// the segmenter.
  LineSegmenter(const Tokenizer& tokenizer, std::int64_t limit, SplitSentences wanted)
      : tokenizer_(tokenizer), limit_(limit), wanted_(wanted) {}

  /// Splits a line of valid UTF-8.
  SegmentedLine segment(std::string_view line) const;

 private:
  void add_evenly(SegmentedLine& to, const TokenIds& ids, std::string gap) const;
  void add_sentences(SegmentedLine& to, std::string_view line, bool each) const;

  const Tokenizer& tokenizer_;
  std::int64_t limit_;
  SplitSentences wanted_;
};

}  // namespace tfm
