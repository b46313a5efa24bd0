// Sampling: tokens are drawn at random instead of chosen (ancestral sampling), from all tokens, the
// k likeliest (Fan et al. 2018) or the likeliest that together have probability p (Holtzman et al.
// 2020). A sentence's samples depend on the seed, the sentence's stream and the sample's index
// alone: each sample has a generator of its own, so neither the batch nor the order of sentences
// matters.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// The token that u, uniform in [0, 1), picks: temperature, then config.sampling_topk, then
/// config.sampling_topp (of what top-k left). candidates in the order of tokens; ties go to the
/// lower token. Nothing where there is no candidate.
std::optional<std::int32_t> sample_token(std::vector<ScoredToken> candidates,
                                         const DecodingConfig& config, double u);

/// config.n_best independent samples a sentence, in the order of drawing; the first does not depend
/// on how many follow. Log-probabilities and scores are the model's own, before temperature and
/// truncation. Forced phrases are not heeded.
SearchResult sample_search(StepModel& model, const SearchRequest& spec,
                           const DecodingConfig& config);

}  // namespace tfm
