#include "tfm/search/greedy.h"

#include <utility>

namespace tfm {
namespace {

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
    const ProcessedRow row = context_.processor.apply(sentence_, hypothesis, next);
    const auto best = context_.selector.top_k({&row.candidate, 1}, 1);
    const bool full = std::ssize(hypothesis.tokens) >= context_.request.max_lengths[sentence_];
    if (best.empty() || (full && best[0].token != context_.request.eos))
      return finish_truncated(hypothesis, context_.config.length_penalty);
    context_.processor.extend(hypothesis, best[0].token, next);
    if (!hypothesis.finished) rows_.push_back({0, best[0].token});
  }

  std::vector<Hypothesis> result() override { return std::move(result_); }

 private:
  const SearchContext& context_;
  std::size_t sentence_;
  std::vector<SearchRow> rows_;  // one row, or none if the search is finished
  std::vector<Hypothesis> result_;
};

}  // namespace

std::unique_ptr<SentenceSearch> make_greedy_search(const SearchContext& context,
                                                   std::size_t sentence) {
  return std::make_unique<GreedySearch>(context, sentence);
}

SearchResult greedy_search(StepModel& model, const SearchRequest& request,
                           const DecodingConfig& config) {
  return run_searches(model, request, config, make_greedy_search);
}

}  // namespace tfm
