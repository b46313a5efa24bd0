// Word alignments out of cross-attention: each target word is linked to the source word that its
// tokens attend to most. Tokens are merged to words by adding up what they attend to; the source's
// end mark is no word.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/metrics/alignment.h"
#include "tfm/translate/attention.h"
#include "tfm/translate/translator.h"

namespace tfm {

/// The head that decoding.alignment_head names; auto: the model's best, or the mean of all where it
/// knows none. Throws ConfigError where the model has no such layer or head.
AlignmentHead resolve_alignment_head(const TranslationModel& model);

/// Attention between words: weights [H, T, S] of one pair, a row for each target token and one for
/// the end mark (columns without source padding)
/// -> [H, target words, source words].
torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool after_reading);

/// Each target word linked to its best source word: best [target words] int64.
WordAlignment links_from_argmax(const torch::Tensor& best);

/// The alignment of each pair by one head.
std::vector<WordAlignment> align(TranslationModel& model, const std::vector<EncodedPair>& pairs,
                                 const AlignmentHead& head);

/// Fills the alignment of every candidate.
void align(TranslationModel& model, std::vector<Translation>& translations,
           const AlignmentHead& head);

}  // namespace tfm
