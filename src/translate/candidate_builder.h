// The third stage of a translation: joins the hypotheses of segments to candidates of their line.
#pragma once

#include <vector>

#include "segment_encoder.h"
#include "tfm/search/hypothesis.h"

namespace tfm {

/// Appends the hypotheses of the next segment of a line to the line's translation. The segments of
/// a long line are joined candidate by candidate. Their log-probabilities are added, and the
/// candidate's score is the lowest score of its segments.
void append_segment(Translation& result, const Segment& segment,
                    const std::vector<Hypothesis>& hypotheses, const Tokenizer& target);

}  // namespace tfm
