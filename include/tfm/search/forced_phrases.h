// Makes beam search produce translations that contain given phrases, by dynamic beam allocation
// (Post and Vilar 2018). The places of the beam are divided evenly among banks. A bank holds the
// hypotheses that lack the same number of phrase tokens. More probable hypotheses without phrase
// tokens therefore cannot displace those that contain many. A hypothesis may end only when it
// contains all phrases. It may take a token only if the missing tokens still fit within the maximum
// length. A search therefore always completes the phrases, unless the model gives one of their
// tokens probability 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/search/candidates.h"

namespace tfm {

class ForcedPhrases {
 public:
  /// For each phrase, the length of its longest prefix that the hypothesis ends with, or the length
  /// of the phrase if the hypothesis already contains it.
  using Progress = std::vector<std::int32_t>;

  /// Keeps a reference to `phrases`, which must outlive this object. Phrases may overlap in the
  /// translation; a phrase given twice is complete after one occurrence.
  explicit ForcedPhrases(std::span<const std::vector<std::int32_t>> phrases) : phrases_(phrases) {}

  bool empty() const { return phrases_.empty(); }
  /// Returns the progress of an empty hypothesis.
  Progress start() const { return Progress(phrases_.size(), 0); }
  /// Returns the progress after the hypothesis was extended by the token.
  Progress advance(Progress progress, std::int32_t token) const;
  /// Returns an upper bound on the number of tokens needed to complete all phrases: the tokens
  /// missing from the most advanced incomplete phrase, and all tokens of the other incomplete
  /// phrases. Returns 0 if all phrases are complete.
  std::int64_t tokens_remaining(const Progress& progress) const;
  /// Returns the next token of each incomplete phrase.
  std::vector<std::int32_t> next_tokens(const Progress& progress) const;

 private:
  std::span<const std::vector<std::int32_t>> phrases_;
};

/// The inputs of allocate_beam besides the selector and the rows.
struct BeamAllocationInput {
  const ForcedPhrases& phrases;
  std::vector<const ForcedPhrases::Progress*> progress;  ///< progress of each row's hypothesis
  std::size_t beam_size = 0;
  std::int64_t tokens_left = 0;  ///< number of tokens that each hypothesis may still take
  std::int32_t eos = 0;
  std::int32_t stop = -1;  ///< the stop token; -1 for none
};

/// Returns the continuations that a beam keeps: first at most beam_size that end the hypothesis
/// (eos and the stop token), then at most beam_size others. Rows with incomplete phrases must have
/// eos and stop banned.
std::vector<Continuation> allocate_beam(const CandidateSelector& selector,
                                        std::span<const CandidateRow> rows,
                                        const BeamAllocationInput& search);

}  // namespace tfm
