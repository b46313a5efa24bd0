// Chooses and runs the search that the decoding config selects.
#pragma once

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

enum class SearchMethod { greedy, beam, sampling };

/// Returns sampling if decoding.sampling is set. Otherwise returns greedy for a beam of one without
/// forced phrases and coverage penalty, and beam in all other cases.
SearchMethod choose_search(const DecodingConfig& config, bool forces_phrases);

/// Runs the search that choose_search returns. Throws ConfigError if phrases are forced while
/// sampling, and the exceptions of the searches.
SearchResult search(StepModel& model, const SearchRequest& request, const DecodingConfig& config);

}  // namespace tfm
