// Chooses and runs the search that the decoding config selects.
#pragma once

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// Runs sample_search if decoding.sampling is set. Otherwise runs greedy_search for a beam of one
/// without forced phrases and coverage penalty, and beam_search in all other cases. Throws
/// ConfigError if phrases are forced while sampling, and the exceptions of the searches.
SearchResult search(StepModel& model, const SearchRequest& request, const DecodingConfig& config);

}  // namespace tfm
