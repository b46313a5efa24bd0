// When training ends, selects the attention head that aligns the words of the validation data best.
// The mean of a layer's heads and the mean of all heads are candidates, too. With gold alignments,
// the candidate with the lowest alignment error rate is selected. Without gold alignments, the
// candidate whose links have the highest mean Dice coefficient, 2 c(s, t) / (c(s) + c(t)), is
// selected. Here c(s), c(t) and c(s, t) are the numbers of sentence pairs that contain source word
// s, target word t, and both.
#pragma once

#include <optional>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/translate/alignment.h"

namespace tfm {

struct AlignmentHeadSelection {
  AlignmentHead head;
  std::optional<double> error_rate;  ///< set only if there are gold alignments
  double dice = 0;                   ///< mean Dice coefficient of all links
};

/// Scores all candidates on the first max_pairs sentence pairs that the model accepts, and returns
/// the best. Returns nullopt if the model accepts no pair. `gold` has one entry per line of the
/// validation files, or is empty.
std::optional<AlignmentHeadSelection> select_alignment_head(TranslationModel& model,
                                                            const ParallelText& text,
                                                            const std::vector<GoldAlignment>& gold,
                                                            std::size_t max_pairs = 1000);

}  // namespace tfm
