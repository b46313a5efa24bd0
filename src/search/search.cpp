#include "tfm/search/search.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/search/beam_search.h"
#include "tfm/search/greedy.h"
#include "tfm/search/sampling.h"

namespace tfm {

SearchResult search(StepModel& model, const SearchRequest& spec, const DecodingConfig& config) {
  const bool forced = std::ranges::any_of(
      spec.constraints, [](const Constraints& constraints) { return !constraints.forced.empty(); });
  if (config.sampling && forced) {
    throw ConfigError("decoding.sampling", "only beam search can force phrases",
                      "Set decoding.sampling to false, or force no phrases.");
  }
  if (config.sampling) return sample_search(model, spec, config);
  const bool greedy = config.beam_size == 1 && !forced && config.coverage_penalty == 0;
  return greedy ? greedy_search(model, spec, config) : beam_search(model, spec, config);
}

}  // namespace tfm
