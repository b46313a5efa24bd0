// A batch of segments whose translations are searched together, step by step. Between two steps,
// finished segments leave, and others may join (continuous batching: Yu et al. 2022, "Orca",
// section 3.2). The search of a segment does not depend on the others (search/sentence_search.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "search_setup.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search.h"
#include "tfm/search/step_model.h"
#include "tfm/translate/shortlist_vocabulary.h"
#include "transformer_step_model.h"

namespace tfm {

/// A segment, which must live until it leaves the batch.
struct BatchMember {
  const Segment* segment;
  /// Is called once, when the segment leaves the batch: with its hypotheses, ordered as in
  /// SearchResult, or with none if it is not needed any longer or the batch is abandoned.
  std::function<void(std::vector<Hypothesis>)> done;
  std::stop_token stop{};  ///< says that the segment is not needed any longer
};

/// The segments of one request that join a batch together.
struct BatchArrival {
  std::vector<BatchMember> members;
  const TranslationRequest* request;
};

class SegmentBatch {
 public:
  /// The setup must outlive the batch.
  explicit SegmentBatch(const SearchSetup& setup) : setup_(setup) {}

  /// Returns true if segments may join now.
  bool can_join() const { return empty() || setup_.can_join(); }
  bool empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }
  /// Returns the number of tokens of all sources.
  std::int64_t source_tokens() const;

  /// Encodes the segments and adds them. Throws ConfigError if choose_factory does, and an error
  /// of the device's memory.
  void join(std::vector<BatchArrival> arrivals);
  /// Extends the hypotheses of all segments by a token. Throws NonFiniteError with the names of the
  /// weight files.
  void step();
  /// Removes all segments, also those of a join that threw.
  void abandon();

 private:
  struct Member {
    BatchMember given;
    std::shared_ptr<RequestSearches> searches;
    std::size_t sentence = 0;  // in `searches`

    SentenceSearch& search() const { return (*searches)[sentence]; }
  };

  void add_sentences(const torch::Tensor& source, const std::vector<SearchRequest>& requests);
  void remove_unneeded();
  void remove_finished();
  void reset();

  const SearchSetup& setup_;
  std::vector<Member> members_;
  std::optional<ShortlistVocabulary> local_;  // with a shortlist
  std::vector<TransformerStepModel*> steps_;  // by model
  std::unique_ptr<StepModel> model_;          // the only one of steps_, or an ensemble of them
  std::optional<RunningSearches> running_;
};

}  // namespace tfm
