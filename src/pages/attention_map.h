// Functions that all output formats share: the map of a selection, and checks of the input.
#pragma once

#include <array>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

inline constexpr std::array all_attention_kinds = {
    AttentionMapKind::encoder, AttentionMapKind::decoder, AttentionMapKind::cross};

/// Returns the weights of the selected layer and head, or the mean over them: [T, S], row-major.
/// The weights must contain the selection.
std::vector<float> attention_map(const AttentionWeights& weights,
                                 const AttentionSelection& selection);

bool has_selection(const AttentionWeights& weights, const AttentionSelection& selection);

/// Throws ConfigError if no kind of attention of the sentence contains the selection.
void check_selection(const SentenceAttention& sentence, const AttentionSelection& selection);

/// Throws std::invalid_argument if tokens and shapes disagree, and ModelError if a weight is not
/// finite.
void check_sentence(const SentenceAttention& sentence);

}  // namespace tfm
