// What the pages share: the map of one choice, and the checks that come before any output.
#pragma once

#include <array>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

inline constexpr std::array all_attention_kinds = {
    AttentionMapKind::encoder, AttentionMapKind::decoder, AttentionMapKind::cross};

/// The chosen layer and head, or the mean over them: [T, S] row-major. The weights must have the
/// choice.
std::vector<float> attention_map(const AttentionWeights& weights, const AttentionSelection& choice);

bool has_choice(const AttentionWeights& weights, const AttentionSelection& choice);

/// Throws ConfigError where no kind of attention of the sentence has the choice.
void check_choice(const SentenceAttention& sentence, const AttentionSelection& choice);

/// Throws std::invalid_argument where tokens and shapes disagree, ModelError where a weight is not
/// finite.
void check_sentence(const SentenceAttention& sentence);

}  // namespace tfm
