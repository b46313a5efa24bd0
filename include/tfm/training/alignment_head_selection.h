// Finds the attention head that aligns words best, on validation data when training ends. With gold
// alignments it is the head with the lowest alignment error rate. Otherwise it is the head whose
// links join words that occur together: the one with the highest mean Dice coefficient, 2 c(s, t) /
// (c(s) + c(t)), where c counts the sentence pairs that contain a word, or both words.
#pragma once

#include <optional>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/translate/alignment.h"

namespace tfm {

struct AlignmentHeadSelection {
  AlignmentHead head;
  std::optional<double> error_rate;  ///< against the gold alignments, if there are any
  double dice = 0;                   ///< the mean over the links
};

/// gold: one entry per line of the validation files, or empty. Uses the first `most` pairs that the
/// model accepts. Returns nullopt if there are none.
std::optional<AlignmentHeadSelection> select_alignment_head(TranslationModel& model,
                                                            const ParallelText& text,
                                                            const std::vector<GoldAlignment>& gold,
                                                            std::size_t max_pairs = 1000);

}  // namespace tfm
