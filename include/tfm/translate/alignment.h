// Word alignments from cross-attention: each target word is linked to the source word that its
// tokens attend to most. The attention between two words is the sum of the attention between their
// tokens. The end-of-sentence token of the source is not a word.
#pragma once

#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/alignment_head.h"
#include "tfm/text/word_alignment.h"
#include "tfm/translate/encoded_pair.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// Returns the head that decoding.alignment_head names. `auto` gives the model's best head, or the
/// mean of all heads if no best head is recorded. Throws ConfigError if the layer or head does not
/// exist.
AlignmentHead resolve_alignment_head(const TranslationModel& model, const DecodingConfig& decoding);

/// Returns the word alignment of each pair, computed from the attention of `head`. Batches are
/// formed as `decoding` specifies; with decoding.reproducible, each pair is its own batch.
std::vector<WordAlignment> align(TranslationModel& model, const std::vector<EncodedPair>& pairs,
                                 const AlignmentHead& head, const DecodingConfig& decoding);

/// A word alignment, with what it leaves open.
struct MeasuredAlignment {
  WordAlignment links;
  /// The mean over target words of the share of the word's attention that its source word has, from
  /// 0 to 1; the rest is on other words and on the end-of-sentence token.
  double attention = 0;
  double unaligned = 0;  ///< the share of source words without a link, from 0 to 1
};

/// Does the same as align() and measures the alignments.
std::vector<MeasuredAlignment> measure_alignments(TranslationModel& model,
                                                  const std::vector<EncodedPair>& pairs,
                                                  const AlignmentHead& head,
                                                  const DecodingConfig& decoding);

/// Sets Candidate::alignment of every candidate in `translations`. The tokenizers' words are
/// numbered across all segments of a line; a Postprocessor maps them to those of the texts.
void align(TranslationModel& model, std::vector<Translation>& translations,
           const AlignmentHead& head, const DecodingConfig& decoding);

}  // namespace tfm
