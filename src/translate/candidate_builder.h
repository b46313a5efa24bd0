// The third stage of a translation: turns the hypotheses of segments into candidates of their line.
#pragma once

#include <vector>

#include "segment_encoder.h"
#include "tfm/search/hypothesis.h"

namespace tfm {

/// Appends the hypotheses of a line's next segment to its translation. Segments of a long line are
/// joined candidate by candidate, and their log-probabilities are added.
void append_segment(Translation& result, const Segment& segment,
                    const std::vector<Hypothesis>& hypotheses, const Tokenizer& target);

}  // namespace tfm
