// Beam search. Each step ranks all continuations of the sentence's live hypotheses: those by eos
// (or the stop token) among the first beam_size ranks are finished and never change again, the best
// beam_size of the others live on. The search ends when beam_size hypotheses are finished, when
// none is left alive, or at the maximum length, where those still alive are cut and compete with
// the finished ones. Hypotheses are compared by length_normalized_score; ties go to the lower row,
// then to the lower token id, so that results are reproducible.
//
// With config.beam_groups > 1 it is diverse beam search (Vijayakumar et al. 2016): each group is a
// beam search of its own over beam_size / groups hypotheses, and at each step a token loses
// diversity_strength for each hypothesis of an earlier group that has just taken it. That decides
// only which hypotheses a group keeps; scores are without it. Forced phrases: forced_phrases.h.
#pragma once

#include <memory>

#include "tfm/search/sentence_search.h"

namespace tfm {

/// Finds config.n_best hypotheses (at most beam_size; fewer only if the vocabulary allows no more).
/// Throws DataError if the forced phrases need more tokens than the sentence's longest translation
/// has. Its take throws ConfigError if a coverage penalty is wanted and the model has no attention.
std::unique_ptr<SentenceSearch> make_beam_search(const SearchContext& context,
                                                 std::size_t sentence);

/// Runs beam search for all sentences of the request. Throws what the searches throw.
SearchResult beam_search(StepModel& model, const SearchRequest& request,
                         const DecodingConfig& config);

}  // namespace tfm
