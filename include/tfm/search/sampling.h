// Ancestral sampling: each token is drawn at random from the model's distribution. Top-k draws from
// the k most probable tokens (Fan et al. 2018), top-p from the most probable tokens that together
// reach probability p (Holtzman et al. 2020). Each sample has its own random number generator. The
// generator is seeded by the config's seed, the sentence's RNG stream and the sample's index.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tfm/search/sentence_search.h"

namespace tfm {

/// Returns the token that u, uniform in [0, 1), selects after temperature, config.sampling_topk and
/// config.sampling_topp have been applied in this order. A temperature of 0 selects the most
/// probable token for every u. Candidates must be in token order; ties go to the lower token.
/// Returns nullopt for an empty list.
std::optional<std::int32_t> sample_token(std::vector<ScoredToken> candidates,
                                         const DecodingConfig& config, double u);

/// Creates the search for one sentence, which draws config.n_best independent samples. A larger
/// n_best adds samples and leaves the first ones unchanged. Log-probabilities and scores are those
/// of the model, before temperature, top-k and top-p are applied. Ignores forced phrases.
std::unique_ptr<SentenceSearch> make_sample_search(const SearchContext& context,
                                                   std::size_t sentence);

/// Samples translations of all sentences of the request.
SearchResult sample_search(StepModel& model, const SearchRequest& request,
                           const DecodingConfig& config);

}  // namespace tfm
