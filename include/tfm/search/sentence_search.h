// The search for one sentence's translation, and what advances many searches together. A
// SentenceSearch holds the hypotheses of one sentence: it lists the rows that the model must
// advance, and takes what may follow these rows. It uses only the rows and the constraints
// of its own sentence, so its result does not depend on the other sentences of the batch.
// RunningSearches concatenates the rows of all unfinished searches into one call of the StepModel
// per token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/search/candidates.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/logits_processor.h"
#include "tfm/search/next_tokens.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"

namespace tfm {

/// A row (hypothesis) of the next call of the model.
struct SearchRow {
  /// the row that this row continues, as an index into the sentence's rows of the previous call; 0
  /// in the first call
  std::int32_t parent = 0;
  std::int32_t token = 0;
};

/// The objects shared by the searches of a batch. Keeps references: the request and the config must
/// outlive the context.
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

  /// Returns the rows of the model's next call, or an empty span if the search is finished. The
  /// span is valid until take is called.
  virtual std::span<const SearchRow> rows() const = 0;
  /// Extends the hypotheses, given the model's outputs for rows() in the same order. Afterwards,
  /// rows() returns the rows of the following call.
  virtual void take(const StepOutput& output) = 0;
  /// Moves the hypotheses out of a finished search, ordered as in SearchResult.
  virtual std::vector<Hypothesis> result() = 0;
};

/// Creates the search for a sentence of context.request. The context must outlive the search.
using SentenceSearchFactory = std::unique_ptr<SentenceSearch> (*)(const SearchContext& context,
                                                                  std::size_t sentence);

/// Searches that advance together. Others may join between two steps. Finished searches have no
/// rows in later calls of the model.
class RunningSearches {
 public:
  /// The model must outlive this object.
  explicit RunningSearches(StepModel& model) : model_(model) {}

  /// Adds the search for the next sentence of the model. If before >= 0, the model reads this token
  /// before the search's first row. The search must live until it is finished or removed.
  void join(SentenceSearch& search, std::int32_t before = -1);
  /// Removes a search that is not finished.
  void remove(const SentenceSearch& search);
  /// Advances each search by one token.
  void step();
  /// Returns true if all searches are finished.
  bool empty() const { return unfinished_.empty(); }

 private:
  struct Unfinished {
    SentenceSearch* search;
    std::size_t first_row;  // the index of the search's first row in the model
    std::int32_t before;    // see join; -1 when the model has read it
  };

  StepModel& model_;
  std::vector<Unfinished> unfinished_;
  std::size_t rows_ = 0;  // of the model: those of its previous call and of sentences that joined
  std::vector<std::int32_t> parents_;
  std::vector<std::int32_t> tokens_;
};

/// The searches for the sentences of a request.
class RequestSearches {
 public:
  /// The config must outlive this object.
  RequestSearches(SearchRequest request, const DecodingConfig& config, std::int64_t vocab_size,
                  SentenceSearchFactory make_search);
  RequestSearches(const RequestSearches&) = delete;
  RequestSearches& operator=(const RequestSearches&) = delete;

  /// Adds all searches to those that run; the newest sentences of the model are theirs.
  void join(RunningSearches& running);
  SentenceSearch& operator[](std::size_t sentence) { return *searches_[sentence]; }
  /// Returns the results of all searches, which are finished.
  SearchResult results();

 private:
  SearchRequest request_;
  SearchContext context_;
  std::vector<std::unique_ptr<SentenceSearch>> searches_;  // by sentence
};

/// Runs one search per sentence of the request, and returns the results.
SearchResult run_searches(StepModel& model, const SearchRequest& request,
                          const DecodingConfig& config, SentenceSearchFactory make_search);

}  // namespace tfm
