// Which attention head aligns words best, found on validation text when training ends: the one with
// the lowest alignment error rate where true alignments are known, else the one whose links join
// words that occur together: the highest mean Dice coefficient, 2 c(s, t) / (c(s) + c(t)), where c
// counts the sentence pairs that hold a word, or both.
#pragma once

#include <optional>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/translate/alignment.h"

namespace tfm {

struct AlignmentHeadSelection {
  AlignmentHead head;
  std::optional<double> error_rate;  ///< against the true alignments, where they are known
  double dice = 0;                   ///< mean over the links
};

/// gold: one entry a line of the validation files, or empty. Looks at the first `most` pairs that
/// the model takes; nothing where there is none.
std::optional<AlignmentHeadSelection> select_alignment_head(TranslationModel& model,
                                                            const ParallelText& text,
                                                            const std::vector<GoldAlignment>& gold,
                                                            std::size_t max_pairs = 1000);

}  // namespace tfm
