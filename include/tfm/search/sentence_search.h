// The search for one sentence's translation, and the loop that advances many of them together. A
// SentenceSearch knows its own hypotheses only: it names the rows to be advanced and takes their
// log-probabilities. It never sees the other sentences of a batch, so its result cannot depend on
// them. run_searches knows nothing about hypotheses: it lays the rows of all unfinished searches
// beside each other, one call of the StepModel per token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/candidates.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/logits_processor.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// A row of the model's next call.
struct SearchRow {
  /// the index of the row that it continues among the sentence's rows in the last call; 0 in the
  /// first call
  std::int32_t parent = 0;
  std::int32_t token = 0;
};

/// The model's outputs for consecutive rows. A view: valid until the model's next call.
struct StepOutput {
  std::span<const float> log_probs;  ///< [rows, V]
  std::span<const float> attention;  ///< [rows, S]; empty if the model has none
  std::size_t rows = 0;

  /// [V]
  std::span<const float> next(std::size_t row) const {
    const std::size_t width = log_probs.size() / rows;
    return log_probs.subspan(row * width, width);
  }
  /// [S]
  std::span<const float> attention_of(std::size_t row) const {
    const std::size_t width = attention.size() / rows;
    return attention.subspan(row * width, width);
  }
  /// The outputs for `count` rows from row `first` on.
  StepOutput subrows(std::size_t first, std::size_t count) const {
    const std::size_t vocab_size = log_probs.size() / rows;
    const std::size_t source_length = attention.size() / rows;
    return {log_probs.subspan(first * vocab_size, count * vocab_size),
            attention.subspan(first * source_length, count * source_length), count};
  }
};

/// What the searches of one batch share. Keeps references: the request and the config must outlive
/// it.
struct SearchContext {
  SearchContext(const SearchRequest& search_request, const DecodingConfig& decoding,
                std::int64_t vocab_size)
      : request(search_request),
        config(decoding),
        processor(search_request, decoding),
        selector(vocab_size, search_request.forbidden) {}

  const SearchRequest& request;
  const DecodingConfig& config;
  LogitsProcessor processor;
  CandidateSelector selector;
};

class SentenceSearch {
 public:
  virtual ~SentenceSearch() = default;

  /// The rows of the next call, valid until take. No rows: the search is finished.
  virtual std::span<const SearchRow> rows() const = 0;
  /// Takes the outputs for rows(), in the same order, and replaces rows() by the next rows.
  virtual void take(const StepOutput& output) = 0;
  /// Moves the hypotheses out of a finished search, in the order of SearchResult.
  virtual std::vector<Hypothesis> result() = 0;
};

/// Makes the search for a sentence of context.request. The context must outlive the search.
using SentenceSearchFactory = std::unique_ptr<SentenceSearch> (*)(const SearchContext& context,
                                                                  std::size_t sentence);

/// Runs searches until all are finished. The model's sentence i belongs to searches[i]. A finished
/// search has no rows in later calls.
void run_searches(StepModel& model, std::span<const std::unique_ptr<SentenceSearch>> searches);

/// Runs one search per sentence of the request.
SearchResult run_searches(StepModel& model, const SearchRequest& request,
                          const DecodingConfig& config, SentenceSearchFactory make_search);

}  // namespace tfm
