#include "tfm/search/greedy.h"

#include <numeric>

#include "tfm/search/candidates.h"

namespace tfm {
namespace {

/// Continues a hypothesis by its likeliest token. Returns false where that finished it.
bool extend(Hypothesis& hypothesis, std::span<const Continuation> best, const SearchSpec& spec, std::int64_t max_length, double alpha) {
  if (!best.empty() && best[0].token == spec.eos) {
    end_by_eos(hypothesis, best[0].token_log_prob, alpha);
    return false;
  }
  if (best.empty() || std::ssize(hypothesis.tokens) >= max_length) {
    cut_short(hypothesis, alpha);
    return false;
  }
  if (best[0].token == spec.stop) {
    end_by_stop(hypothesis, spec.stop, best[0].token_log_prob, alpha);
    return false;
  }
  append_token(hypothesis, best[0].token, best[0].token_log_prob);
  return true;
}

}  // namespace

SearchResult greedy_search(StepModel& model, const SearchSpec& spec, const DecodingConfig& config) {
  const auto vocab_size = static_cast<std::size_t>(model.vocab_size());
  const CandidateSelector selector(model.vocab_size(), spec.forbidden, config.no_repeat_ngram_size);
  SearchResult result(spec.max_lengths.size(), std::vector<Hypothesis>(1));

  std::vector<std::size_t> active(result.size());  // the sentence of each row
  std::iota(active.begin(), active.end(), std::size_t{0});
  std::vector<std::int32_t> parents(active.begin(), active.end());
  std::vector<std::int32_t> tokens(active.size(), spec.bos);

  while (!active.empty()) {
    const auto log_probs = model.advance(parents, tokens);
    parents.clear();
    tokens.clear();
    std::vector<std::size_t> still_active;
    for (std::size_t row = 0; row < active.size(); ++row) {
      Hypothesis& hypothesis = result[active[row]][0];
      const OpenRow open{hypothesis.tokens, hypothesis.log_prob, log_probs.subspan(row * vocab_size, vocab_size)};
      if (!extend(hypothesis, selector.best({&open, 1}, 1), spec, spec.max_lengths[active[row]], config.length_penalty)) continue;
      still_active.push_back(active[row]);
      parents.push_back(static_cast<std::int32_t>(row));
      tokens.push_back(hypothesis.tokens.back());
    }
    active = std::move(still_active);
  }
  return result;
}

}  // namespace tfm
