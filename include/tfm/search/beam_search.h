// Beam search. Each step ranks all continuations of the live hypotheses of a sentence. Among the
// first beam_size ranks, hypotheses that end with eos (or the stop token) are finished and never
// change again. The best beam_size of the other continuations stay live. The search ends when
// beam_size hypotheses are finished, when none is live, or at the maximum length. Hypotheses that
// are live at the maximum length are truncated and compete with the finished hypotheses. Live
// hypotheses are ranked by log-probability, finished ones by Hypothesis::score. Results are
// reproducible: if continuations are equally probable, the hypothesis that comes first in the beam
// wins, then the lower token id.
//
// With config.beam_groups > 1, this is diverse beam search (Vijayakumar et al. 2016): each group
// runs its own beam search with beam_size / groups hypotheses. At each step, the score of a token
// is reduced by diversity_strength for each hypothesis of an earlier group that has just taken that
// token. This affects only which hypotheses a group keeps, not their final scores. For forced
// phrases, see forced_phrases.h.
#pragma once

#include <cstdint>
#include <memory>

#include "tfm/search/sentence_search.h"

namespace tfm {

/// Returns how many continuations a step of one beam selects, given the stop token or -1.
std::int64_t count_continuations(std::int64_t beam_size, std::int32_t stop);

/// Creates the search for one sentence. The search finds config.n_best hypotheses, but at most
/// beam_size, and fewer if it runs out of possible continuations. Throws DataError if the prefix
/// and the forced phrases need more tokens than the maximum length. SentenceSearch::take throws
/// ConfigError if a coverage penalty is set but the model provides no attention.
std::unique_ptr<SentenceSearch> make_beam_search(const SearchContext& context,
                                                 std::size_t sentence);

/// Runs beam search for all sentences of the request. Throws the exceptions of make_beam_search and
/// of SentenceSearch::take.
SearchResult beam_search(StepModel& model, const SearchRequest& request,
                         const DecodingConfig& config);

}  // namespace tfm
