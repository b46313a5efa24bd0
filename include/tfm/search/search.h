// The search that a config asks for.
#pragma once

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// sample_search with decoding.sampling, greedy_search for a beam of one without constraints that
/// need a beam, else beam_search. Throws ConfigError where phrases are forced while sampling, and
/// what the searches throw.
SearchResult search(StepModel& model, const SearchRequest& request, const DecodingConfig& config);

}  // namespace tfm
