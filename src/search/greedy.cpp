#include "tfm/search/greedy.h"

#include <numeric>

#include "tfm/search/candidates.h"
#include "tfm/search/logits_processor.h"

namespace tfm {

SearchResult greedy_search(StepModel& model, const SearchRequest& spec,
                           const DecodingConfig& config) {
  const auto vocab_size = static_cast<std::size_t>(model.vocab_size());
  const LogitsProcessor rules(spec, config);
  const CandidateSelector selector(model.vocab_size(), spec.forbidden);
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
      const std::size_t sentence = active[row];
      Hypothesis& hypothesis = result[sentence][0];
      const auto next = log_probs.subspan(row * vocab_size, vocab_size);
      const ProcessedRow ruled = rules.apply(sentence, hypothesis, next);
      const auto best = selector.best({&ruled.open, 1}, 1);
      const bool full = std::ssize(hypothesis.tokens) >= spec.max_lengths[sentence];
      if (best.empty() || (full && best[0].token != spec.eos)) {
        finish_truncated(hypothesis, config.length_penalty);
        continue;
      }
      rules.take(hypothesis, best[0].token, next);
      if (hypothesis.ended) continue;
      still_active.push_back(sentence);
      parents.push_back(static_cast<std::int32_t>(row));
      tokens.push_back(best[0].token);
    }
    active = std::move(still_active);
  }
  return result;
}

}  // namespace tfm
