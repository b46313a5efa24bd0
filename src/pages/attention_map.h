// Functions that all output formats share: they select a map and check the input.
#pragma once

#include <array>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

inline constexpr std::array all_attention_kinds = {
    AttentionMapKind::encoder, AttentionMapKind::decoder, AttentionMapKind::cross};

/// Returns the weights [rows, columns] of the selected layer and head, row-major. If no layer or
/// head is selected, returns the mean over all of them. `weights` must contain the selected layer
/// and head (has_selection).
std::vector<float> attention_map(const AttentionWeights& weights,
                                 const AttentionSelection& selection);

bool has_selection(const AttentionWeights& weights, const AttentionSelection& selection);

/// Throws ConfigError if no kind of attention of the sentence has the selected layer and head.
void check_selection(const SentenceAttention& sentence, const AttentionSelection& selection);

/// Throws std::invalid_argument if tokens and shapes disagree, and ModelError if a weight is not
/// finite.
void check_sentence(const SentenceAttention& sentence);

}  // namespace tfm
