// What a search must know of the sentences at hand: marks, longest lengths, and what the user wants
// of each translation.
#pragma once

#include <cstdint>
#include <vector>

namespace tfm {

/// Wishes for one sentence's translation.
struct Constraints {
  /// how it begins, whatever else forbids it; at most its max_length tokens
  std::vector<std::int32_t> prefix;
  /// phrases that it contains; only beam search heeds them (forced_phrases.h)
  std::vector<std::vector<std::int32_t>> forced;
  /// phrases that it does not contain, but where the prefix or a forced phrase does
  std::vector<std::vector<std::int32_t>> forbidden;
};

struct SearchRequest {
  std::int32_t bos = 0;
  std::int32_t eos = 0;
  /// For each sentence: most target tokens, eos not counted. A hypothesis that long is advanced
  /// once more, to see whether it ends there, so a model must bear max_length + 1 positions (bos
  /// first).
  std::vector<std::int64_t> max_lengths;
  std::vector<std::int32_t> forbidden;  ///< never produced: padding, bos, the unknown token
  /// a token that ends a translation as eos does, but is part of it; -1: none
  std::int32_t stop = -1;

  std::vector<Constraints> constraints;  ///< of each sentence; empty: none has any
  /// for each sentence: which random numbers sampling uses; empty: its index
  std::vector<std::uint64_t> streams;
  std::int64_t alternatives = 0;  ///< Hypothesis::alternatives: how many at each step
  /// of each sentence, for the coverage penalty: what StepModel::attention has columns for
  std::vector<std::int64_t> source_lengths;
};

}  // namespace tfm
