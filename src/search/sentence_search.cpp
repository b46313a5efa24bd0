#include "tfm/search/sentence_search.h"

#include <numeric>
#include <utility>

namespace tfm {
namespace {

/// Lets the model read bos if a target tag follows. The rows of the searches then begin with the
/// tag.
void read_bos(StepModel& model, const SearchRequest& request) {
  if (request.target_tag < 0) return;
  std::vector<std::int32_t> sentences(request.max_lengths.size());
  std::iota(sentences.begin(), sentences.end(), 0);
  model.advance(sentences, std::vector<std::int32_t>(sentences.size(), request.bos));
}

}  // namespace

void run_searches(StepModel& model, std::span<const std::unique_ptr<SentenceSearch>> searches) {
  struct Unfinished {
    SentenceSearch* search;
    // index of the search's first row in the model's previous call; before the first call, the
    // index of the sentence
    std::size_t first_row;
  };
  std::vector<Unfinished> unfinished;
  for (const auto& search : searches) unfinished.push_back({search.get(), unfinished.size()});
  const auto finished = [](const Unfinished& each) { return each.search->rows().empty(); };
  std::vector<std::int32_t> parents;
  std::vector<std::int32_t> tokens;
  for (;;) {
    std::erase_if(unfinished, finished);
    if (unfinished.empty()) return;
    parents.clear();
    tokens.clear();
    for (auto& [search, first_row] : unfinished) {
      const std::size_t last_first_row = std::exchange(first_row, parents.size());
      for (const SearchRow& row : search->rows()) {
        parents.push_back(static_cast<std::int32_t>(last_first_row) + row.parent);
        tokens.push_back(row.token);
      }
    }
    const StepOutput output = model.advance(parents, tokens);
    for (const auto& [search, first_row] : unfinished)
      search->take(output.subrows(first_row, search->rows().size()));
  }
}

SearchResult run_searches(StepModel& model, const SearchRequest& request,
                          const DecodingConfig& config, SentenceSearchFactory make_search) {
  const SearchContext context(request, config, model.vocab_size());
  std::vector<std::unique_ptr<SentenceSearch>> searches;
  for (std::size_t i = 0; i < request.max_lengths.size(); ++i)
    searches.push_back(make_search(context, i));
  read_bos(model, request);
  run_searches(model, searches);
  SearchResult result;
  for (const auto& search : searches) result.push_back(search->result());
  return result;
}

}  // namespace tfm
