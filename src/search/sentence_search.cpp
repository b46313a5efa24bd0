#include "tfm/search/sentence_search.h"

#include <utility>

namespace tfm {

void RunningSearches::join(SentenceSearch& search, std::int32_t before) {
  const std::size_t row = rows_++;
  if (!search.rows().empty()) unfinished_.push_back({&search, row, before});
}

void RunningSearches::remove(const SentenceSearch& search) {
  std::erase_if(unfinished_, [&](const Unfinished& each) { return each.search == &search; });
}

void RunningSearches::step() {
  if (unfinished_.empty()) return;
  parents_.clear();
  tokens_.clear();
  for (auto& [search, first_row, before] : unfinished_) {
    const auto parent = static_cast<std::int32_t>(std::exchange(first_row, parents_.size()));
    if (before >= 0) {
      parents_.push_back(parent);
      tokens_.push_back(before);
      continue;
    }
    for (const SearchRow& row : search->rows()) {
      parents_.push_back(parent + row.parent);
      tokens_.push_back(row.token);
    }
  }
  rows_ = parents_.size();
  const StepOutput output = model_.advance(parents_, tokens_);
  for (auto& [search, first_row, before] : unfinished_) {
    if (std::exchange(before, -1) < 0)
      search->take(output.subrows(first_row, search->rows().size()));
  }
  std::erase_if(unfinished_, [](const Unfinished& each) { return each.search->rows().empty(); });
}

RequestSearches::RequestSearches(SearchRequest request, const DecodingConfig& config,
                                 std::int64_t vocab_size, SentenceSearchFactory make_search)
    : request_(std::move(request)), context_(request_, config, vocab_size) {
  for (std::size_t i = 0; i < request_.max_lengths.size(); ++i)
    searches_.push_back(make_search(context_, i));
}

void RequestSearches::join(RunningSearches& running) {
  for (const auto& search : searches_) running.join(*search, request_.token_before());
}

SearchResult RequestSearches::results() {
  SearchResult result;
  for (const auto& search : searches_) result.push_back(search->result());
  return result;
}

SearchResult run_searches(StepModel& model, const SearchRequest& request,
                          const DecodingConfig& config, SentenceSearchFactory make_search) {
  RequestSearches searches(request, config, model.vocab_size(), make_search);
  RunningSearches running(model);
  searches.join(running);
  while (!running.empty()) running.step();
  return searches.results();
}

}  // namespace tfm
