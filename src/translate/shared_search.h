// Searches for the translations of several callers in shared batches (translate/shared_batches.h).
// The segments wait in the order in which they arrive. A worker without a batch takes its share of
// those that wait; a batch takes some only if no worker is idle.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search_setup.h"
#include "tfm/search/hypothesis.h"
#include "tfm/translate/shared_batches.h"

namespace tfm {

class SharedSearch {
 public:
  /// Starts the workers. The setup must outlive this object, which no call may outlive.
  SharedSearch(const SearchSetup& setup, const SharedBatches& options);
  ~SharedSearch();

  /// Returns the hypotheses of each segment, ordered as in SearchResult, or nothing if a batch
  /// failed: then the segments, or those of another caller, are at fault. Throws Interrupted if
  /// request.stop asks for it. Several threads may call it at once.
  std::optional<SearchResult> search(const std::vector<Segment>& segments,
                                     const TranslationRequest& request);

 private:
  class Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace tfm
