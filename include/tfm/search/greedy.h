// Greedy search: the likeliest token at each step. Equal to beam_search with beam 1, cheaper, and
// the simplest statement of how a StepModel is driven.
#pragma once

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// One hypothesis a sentence. A sentence leaves the batch when it ends. Ties go to the lower token
/// id. Forced phrases are not heeded.
SearchResult greedy_search(StepModel& model, const SearchRequest& spec,
                           const DecodingConfig& config);

}  // namespace tfm
