#include "tfm/search/search.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/search/beam_search.h"
#include "tfm/search/greedy.h"
#include "tfm/search/sampling.h"

namespace tfm {

namespace {

bool forces_phrases(const SearchRequest& request) {
  return std::ranges::any_of(request.constraints, [](const Constraints& constraints) {
    return !constraints.forced.empty();
  });
}

}  // namespace

SearchMethod choose_search(const DecodingConfig& config, bool forces_phrases) {
  if (config.sampling) return SearchMethod::sampling;
  return config.beam_size == 1 && !forces_phrases && config.coverage_penalty == 0
             ? SearchMethod::greedy
             : SearchMethod::beam;
}

bool needs_log_probs(const SearchRequest& request, const DecodingConfig& config) {
  return choose_search(config, forces_phrases(request)) != SearchMethod::greedy ||
         greedy_needs_log_probs(request, config);
}

std::int64_t count_inspected_tokens(const SearchRequest& request, const DecodingConfig& config) {
  constexpr std::int64_t spare = 6;
  const bool any_token = config.sampling || config.repetition_penalty != 1 ||
                         config.beam_groups > 1 || !request.constraints.empty();
  if (any_token) return 0;
  const std::int64_t continuations = choose_search(config, false) == SearchMethod::greedy
                                         ? 1
                                         : count_continuations(config.beam_size, request.stop);
  return std::max(continuations, request.alternatives + 1) + spare;
}

SentenceSearchFactory choose_factory(const SearchRequest& request, const DecodingConfig& config) {
  const bool forced = forces_phrases(request);
  switch (choose_search(config, forced)) {
    case SearchMethod::greedy:
      return make_greedy_search;
    case SearchMethod::beam:
      break;
    case SearchMethod::sampling:
      if (!forced) return make_sample_search;
      throw ConfigError("decoding.sampling", "only beam search can force phrases",
                        "Set decoding.sampling to false, or remove the forced phrases.");
  }
  return make_beam_search;
}

SearchResult search(StepModel& model, const SearchRequest& request, const DecodingConfig& config) {
  return run_searches(model, request, config, choose_factory(request, config));
}

}  // namespace tfm
