// The third stage of a translation: joins the hypotheses of a line's segments into the candidates
// of the line.
#pragma once

#include <vector>

#include "segment_encoder.h"
#include "tfm/search/hypothesis.h"

namespace tfm {

/// Appends the hypotheses of a line's next segment to the candidates of the line: the best
/// hypothesis to the best candidate, and so on. Candidates for which the segment has no hypothesis
/// are removed. The log-probabilities of the segments are added. The score of a candidate is the
/// lowest score of its segments.
void append_segment(Translation& result, const Segment& segment,
                    const std::vector<Hypothesis>& hypotheses, const Tokenizer& target);

}  // namespace tfm
