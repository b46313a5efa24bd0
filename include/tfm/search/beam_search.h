// Beam search over a StepModel, many sentences at once. Each step ranks all continuations of a
// sentence's live hypotheses: those by eos (or the stop token) among the first beam_size ranks are
// finished and never change again, the best beam_size of the others live on. A sentence ends, and
// leaves the batch, when beam_size hypotheses are finished, when none is left alive, or at its
// maximum length, where those still alive are cut and compete with the finished ones. Hypotheses
// are compared by length_normalized_score; ties go to the lower row, then to the lower token id, so
// that results are reproducible.
//
// With config.beam_groups > 1 it is diverse beam search (Vijayakumar et al. 2016): each group is a
// beam search of its own over beam_size / groups hypotheses, and at each step a token loses
// diversity_strength for each hypothesis of an earlier group that has just taken it. That decides
// only what a group goes on with; scores are without it. Forced phrases: forced_phrases.h.
#pragma once

#include "tfm/config/config.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// config.n_best hypotheses a sentence (at most beam_size; fewer only where the vocabulary allows
/// no more). Throws DataError where forced phrases need more tokens than a sentence's longest
/// translation has, ConfigError where a coverage penalty is wanted of a model that tells no
/// attention.
SearchResult beam_search(StepModel& model, const SearchRequest& spec, const DecodingConfig& config);

}  // namespace tfm
