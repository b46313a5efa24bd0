// The error rate of word alignments against gold alignments, which people made.
#pragma once

#include <vector>

#include "tfm/text/word_alignment.h"

namespace tfm {

/// Returns the alignment error rate (Och and Ney 2003, section 6): 1 - (|A and S| + |A and P|) /
/// (|A| + |S|) over all sentences. A is the set of the links found, S of the sure links, and P of
/// the sure and the possible links. 0 is perfect, 1 is worst. The rate is 0 if A and S are empty.
/// `found` and `gold` have the same size.
double alignment_error_rate(const std::vector<WordAlignment>& found,
                            const std::vector<GoldAlignment>& gold);

}  // namespace tfm
