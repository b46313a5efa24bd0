// A uniform sample of the pairs of a text of any length, chosen while the text is read once
// (core/reservoir.h). Subwords are learnt from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tfm/core/reservoir.h"
#include "tfm/data/corpus.h"

namespace tfm {

class TextSample {
 public:
  /// The sample has at most `most` pairs and depends only on `most` and the text.
  explicit TextSample(std::int64_t most) : reservoir_(static_cast<std::size_t>(most)) {}

  void add(std::string source, std::string target);
  /// Returns the number of pairs that were added.
  std::int64_t pairs() const { return pairs_; }
  /// Returns the number of their bytes.
  std::int64_t bytes() const { return bytes_; }
  /// Returns the sample in the order of the text; `line` counts the added pairs.
  ParallelText take();

 private:
  Reservoir reservoir_;
  std::int64_t pairs_ = 0;
  std::int64_t bytes_ = 0;
  ParallelText chosen_;
};

/// Returns the sample that TextSample chooses of the pairs of these texts.
ParallelText sample_of(std::span<const ParallelText> texts, std::int64_t most);

/// Returns the number of bytes of all lines.
std::int64_t count_bytes(const ParallelText& text);

}  // namespace tfm
