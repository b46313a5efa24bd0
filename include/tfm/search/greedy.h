// Greedy search: takes the most probable token at each step. Without forced phrases or a coverage
// penalty, the result is that of beam search with a beam of one, at a lower cost. This is also the
// simplest example of a SentenceSearch.
#pragma once

#include <memory>

#include "tfm/search/sentence_search.h"

namespace tfm {

/// Returns false if logits are enough: without penalties, for a request that asks for no scores.
/// Hypotheses then have NaN as log_prob and score, and no token_log_probs. The tokens are the same.
bool greedy_needs_log_probs(const SearchRequest& request, const DecodingConfig& config);

/// Creates the search for one sentence, which finds one hypothesis. Ties go to the lower token id.
/// Ignores forced phrases.
std::unique_ptr<SentenceSearch> make_greedy_search(const SearchContext& context,
                                                   std::size_t sentence);

/// Runs greedy search for all sentences of the request.
SearchResult greedy_search(StepModel& model, const SearchRequest& request,
                           const DecodingConfig& config);

}  // namespace tfm
