// Runs greedy search, beam search or sampling, as the decoding config requires.
#pragma once

#include <cstdint>

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/sentence_search.h"
#include "tfm/search/step_model.h"

namespace tfm {

enum class SearchMethod { greedy, beam, sampling };

/// Returns sampling if decoding.sampling is set. Otherwise returns greedy for a beam of one without
/// forced phrases or a coverage penalty, and beam in all other cases.
SearchMethod choose_search(const DecodingConfig& config, bool forces_phrases);

/// Returns what makes the kind of search that choose_search returns. Throws ConfigError if phrases
/// are forced and decoding.sampling is set.
SentenceSearchFactory choose_factory(const SearchRequest& request, const DecodingConfig& config);

/// Returns false if logits are enough for the search (greedy_needs_log_probs).
bool needs_log_probs(const SearchRequest& request, const DecodingConfig& config);

/// Returns how many of the most probable next tokens of a row the search looks at, with some to
/// spare for banned and equally probable ones, or 0 if it looks at all or at any token. A model on
/// a device that sends this many tokens rarely has to send whole rows (LogProbRows).
std::int64_t count_inspected_tokens(const SearchRequest& request, const DecodingConfig& config);

/// Runs the search that choose_search returns, and passes on its exceptions and those of
/// choose_factory.
SearchResult search(StepModel& model, const SearchRequest& request, const DecodingConfig& config);

}  // namespace tfm
