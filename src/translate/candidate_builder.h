// The third stage of a translation: the hypotheses of segments become the candidates of their line.
#pragma once

#include <vector>

#include "segment_encoder.h"
#include "tfm/search/hypothesis.h"

namespace tfm {

/// Adds the hypotheses of a line's next segment to its translation. The parts of a long line are
/// joined candidate by candidate; their log-probabilities add up.
void append_segment(Translation& result, const Segment& segment,
                    const std::vector<Hypothesis>& hypotheses, const Tokenizer& target);

}  // namespace tfm
