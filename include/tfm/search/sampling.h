// Sampling: tokens are drawn at random instead of chosen (ancestral sampling), from all tokens, the
// k likeliest (Fan et al. 2018) or the likeliest that together have probability p (Holtzman et al.
// 2020). A sentence's samples depend only on the seed, the sentence's stream and the sample's
// index, because each sample has its own generator.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tfm/search/sentence_search.h"

namespace tfm {

/// The token that u, uniform in [0, 1), picks: temperature, then config.sampling_topk, then
/// config.sampling_topp (of what top-k left). candidates in the order of tokens; ties go to the
/// lower token. Nothing where there is no candidate.
std::optional<std::int32_t> sample_token(std::vector<ScoredToken> candidates,
                                         const DecodingConfig& config, double u);

/// Draws config.n_best independent samples, in the order of drawing; the first does not depend on
/// how many follow. Log-probabilities and scores are the model's own, before temperature and
/// truncation. Ignores forced phrases.
std::unique_ptr<SentenceSearch> make_sample_search(const SearchContext& context,
                                                   std::size_t sentence);

/// Samples translations of all sentences of the request.
SearchResult sample_search(StepModel& model, const SearchRequest& request,
                           const DecodingConfig& config);

}  // namespace tfm
