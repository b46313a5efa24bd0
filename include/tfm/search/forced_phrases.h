// Phrases that a translation must contain: dynamic beam allocation (Post and Vilar 2018). A beam's
// places are dealt out evenly to banks, one for each number of phrase tokens met so far, so that
// hypotheses which have met many don't lose to likelier ones that have met none. A hypothesis may
// end when it has met all, and goes only where what is missing still fits into the longest
// translation: a search therefore always meets them, unless the model finds a token impossible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/search/candidates.h"

namespace tfm {

class ForcedPhrases {
 public:
  /// By phrase: how many of its first tokens stand at the hypothesis' end, or all of them where it
  /// contains the phrase.
  using Progress = std::vector<std::int32_t>;

  /// Keeps a reference. Phrases may overlap in the text; the same phrase twice is met by one
  /// occurrence.
  explicit ForcedPhrases(std::span<const std::vector<std::int32_t>> phrases) : phrases_(phrases) {}

  bool empty() const { return phrases_.empty(); }
  Progress start() const { return Progress(phrases_.size(), 0); }
  Progress after(Progress progress, std::int32_t token) const;
  /// Tokens that surely suffice to meet the rest: the phrase that is farthest on is finished, the
  /// others are written out. 0: all are met.
  std::int64_t missing(const Progress& progress) const;
  /// Tokens that bring some phrase on.
  std::vector<std::int32_t> next_tokens(const Progress& progress) const;

 private:
  std::span<const std::vector<std::int32_t>> phrases_;
};

/// What a choice among continuations must know of a beam's sentence.
struct BeamAllocationInput {
  const ForcedPhrases& phrases;
  std::vector<const ForcedPhrases::Progress*> progress;  ///< of each row
  std::size_t beam_size = 0;
  std::int64_t room = 0;  ///< tokens that may still follow the rows
  std::int32_t eos = 0;
  std::int32_t stop = -1;
};

/// The continuations that a beam takes: at most beam_size that end, then at most beam_size others.
/// rows may not end (eos and stop banned) where their phrases are not met.
std::vector<Continuation> allocate_beam(const CandidateSelector& selector,
                                        std::span<const CandidateRow> rows,
                                        const BeamAllocationInput& search);

}  // namespace tfm
