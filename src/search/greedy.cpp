#include "tfm/search/greedy.h"

#include <limits>
#include <utility>

namespace tfm {
namespace {

/// Returns true if there are no penalties, which apply to log-probabilities.
bool ranks_by_logits(const DecodingConfig& config) { return config.repetition_penalty == 1; }

/// Removes what was computed from logits in place of log-probabilities.
void remove_scores(Hypothesis& hypothesis) {
  hypothesis.log_prob = hypothesis.score = std::numeric_limits<double>::quiet_NaN();
  hypothesis.token_log_probs.clear();
}

class GreedySearch : public SentenceSearch {
 public:
  GreedySearch(const SearchContext& context, std::size_t sentence)
      : context_(context),
        sentence_(sentence),
        rows_{{0, context.request.first_token(sentence)}},
        result_(1) {}

  std::span<const SearchRow> rows() const override { return rows_; }

  void take(const StepOutput& output) override {
    rows_.clear();
    Hypothesis& hypothesis = result_.front();
    const auto next = output.next(0);
    const ProcessedRow row = context_.processor.apply(
        sentence_, hypothesis, ranks_by_logits(context_.config) ? next.logits() : next);
    const auto best = context_.selector.top_k({&row.candidate, 1}, 1);
    const bool full = std::ssize(hypothesis.tokens) >= context_.request.max_lengths[sentence_];
    if (best.empty() || (full && best[0].token != context_.request.eos))
      return finish_truncated(hypothesis, context_.config.length_penalty);
    context_.processor.extend(hypothesis, best[0].token, next);
    if (!hypothesis.finished) rows_.push_back({0, best[0].token});
  }

  std::vector<Hypothesis> result() override {
    if (!greedy_needs_log_probs(context_.request, context_.config)) remove_scores(result_.front());
    return std::move(result_);
  }

 private:
  const SearchContext& context_;
  std::size_t sentence_;
  std::vector<SearchRow> rows_;  // one row, or none if the search is finished
  std::vector<Hypothesis> result_;
};

}  // namespace

bool greedy_needs_log_probs(const SearchRequest& request, const DecodingConfig& config) {
  return request.scores || request.alternatives > 0 || !ranks_by_logits(config);
}

std::unique_ptr<SentenceSearch> make_greedy_search(const SearchContext& context,
                                                   std::size_t sentence) {
  return std::make_unique<GreedySearch>(context, sentence);
}

SearchResult greedy_search(StepModel& model, const SearchRequest& request,
                           const DecodingConfig& config) {
  return run_searches(model, request, config, make_greedy_search);
}

}  // namespace tfm
