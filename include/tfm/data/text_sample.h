// A uniform sample of the pairs of a text of any length, chosen while the text is read once
// (reservoir sampling, algorithm R, Vitter 1985). Subwords are learnt from it.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>

#include "tfm/data/corpus.h"

namespace tfm {

class TextSample {
 public:
  /// The sample has at most `most` pairs and depends only on `most` and the text.
  explicit TextSample(std::int64_t most) : most_(most) {}

  void add(std::string source, std::string target);
  /// Returns the number of pairs that were added.
  std::int64_t pairs() const { return pairs_; }
  /// Returns the number of their bytes.
  std::int64_t bytes() const { return bytes_; }
  /// Returns the sample in the order of the text; `line` counts the added pairs.
  ParallelText take();

 private:
  std::int64_t most_;
  std::int64_t pairs_ = 0;
  std::int64_t bytes_ = 0;
  ParallelText chosen_;
  std::mt19937_64 random_{1};
};

/// Returns the sample that TextSample chooses of the pairs of these texts.
ParallelText sample_of(std::span<const ParallelText> texts, std::int64_t most);

/// Returns the number of bytes of all lines.
std::int64_t count_bytes(const ParallelText& text);

}  // namespace tfm
