// Word alignments out of cross-attention: each target word is linked to the source word that its
// tokens attend to most. Tokens are merged to words by adding up what they attend to; the source's
// end mark is not a word.
#pragma once

#include <vector>

#include "tfm/config/config.h"
#include "tfm/metrics/alignment.h"
#include "tfm/model/alignment_head.h"
#include "tfm/translate/encoded_pair.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// The head that decoding.alignment_head names; auto: the model's best, or the mean of all if the
/// model knows none. Throws ConfigError if the model has no such layer or head.
AlignmentHead resolve_alignment_head(const TranslationModel& model, const DecodingConfig& decoding);

/// The alignment of each pair by one head. decoding: its batches, and one pair at a time if it is
/// reproducible.
std::vector<WordAlignment> align(TranslationModel& model, const std::vector<EncodedPair>& pairs,
                                 const AlignmentHead& head, const DecodingConfig& decoding);

/// Fills the alignment of every candidate.
void align(TranslationModel& model, std::vector<Translation>& translations,
           const AlignmentHead& head, const DecodingConfig& decoding);

}  // namespace tfm
