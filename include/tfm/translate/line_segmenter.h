// A line as what goes through the model at once: the whole of it, or parts of a line that is too
// long or that is to be translated sentence by sentence. Parts are as many whole sentences as fit
// (text/sentences.h); only a sentence that is too long by itself is cut, into equal numbers of
// tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

struct LineSegment {
  TokenIds ids;  ///< without an end mark; never empty
  /// the white space between the part before it and this one; empty for the first, and within a
  /// word
  std::string gap;
};

struct SegmentedLine {
  std::vector<LineSegment> parts;    ///< none where the line has no token
  std::vector<std::string> unknown;  ///< pieces that the vocabulary does not cover
  bool too_long = false;             ///< it was divided because the model takes no more tokens
};

class LineSegmenter {
 public:
  /// limit: tokens that a part may have, at least 1. The tokenizer must outlive this.
  LineSegmenter(const Tokenizer& tokenizer, std::int64_t limit, SplitSentences wanted)
      : tokenizer_(tokenizer), limit_(limit), wanted_(wanted) {}

  /// line: valid UTF-8.
  SegmentedLine divide(std::string_view line) const;

 private:
  void add_evenly(SegmentedLine& to, const TokenIds& ids, std::string gap) const;
  void add_sentences(SegmentedLine& to, std::string_view line, bool each) const;

  const Tokenizer& tokenizer_;
  std::int64_t limit_;
  SplitSentences wanted_;
};

}  // namespace tfm
