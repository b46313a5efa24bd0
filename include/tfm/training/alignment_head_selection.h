// Selects the attention head that aligns words best, on the validation data, when training ends.
// The mean of a layer's heads and the mean of all heads are candidates, too. With gold alignments,
// this is the candidate with the lowest alignment error rate, otherwise the one with the highest
// mean Dice coefficient of its links, 2 c(s, t) / (c(s) + c(t)). c(s), c(t) and c(s, t) are the
// numbers of sentence pairs that contain word s, word t, or both.
#pragma once

#include <optional>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/translate/alignment.h"

namespace tfm {

struct AlignmentHeadSelection {
  AlignmentHead head;
  std::optional<double> error_rate;  ///< set if there are gold alignments
  double dice = 0;                   ///< mean over all links
};

/// Scores all candidates on the first max_pairs sentence pairs that the model accepts, and returns
/// the best. Returns nullopt if the model accepts no pair. `gold` has one entry per line of the
/// validation files, or is empty.
std::optional<AlignmentHeadSelection> select_alignment_head(TranslationModel& model,
                                                            const ParallelText& text,
                                                            const std::vector<GoldAlignment>& gold,
                                                            std::size_t max_pairs = 1000);

}  // namespace tfm
