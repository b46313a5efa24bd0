// Selects attention maps and checks the input, for all three output formats.
#pragma once

#include <array>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

inline constexpr std::array all_attention_kinds = {
    AttentionMapKind::encoder, AttentionMapKind::decoder, AttentionMapKind::cross};

/// Returns the weights [rows, columns] of the selected layer and head, row-major. If the layer or
/// the head is nullopt, returns the mean over all layers or heads. `weights` must contain the
/// selected layer and head (has_selection).
std::vector<float> attention_map(const AttentionWeights& weights,
                                 const AttentionSelection& selection);

bool has_selection(const AttentionWeights& weights, const AttentionSelection& selection);

/// Throws ConfigError if no kind of attention of the sentence has the selected layer and head.
void check_selection(const SentenceAttention& sentence, const AttentionSelection& selection);

/// Throws std::invalid_argument if tokens and shapes disagree, and ModelError if a weight is not
/// finite.
void check_sentence(const SentenceAttention& sentence);

}  // namespace tfm
