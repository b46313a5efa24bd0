// The second stage of a translation: searches for the translations of segments, in batches of
// segments of similar length, in parallel if there are several threads.
#pragma once

#include <memory>
#include <vector>

#include "search_setup.h"
#include "shared_search.h"
#include "tfm/search/hypothesis.h"
#include "tfm/translate/batch_limit.h"

namespace tfm {

class SegmentSearch {
 public:
  /// Throws like SearchSetup. If `sharing` has workers, the calls of search share batches.
  SegmentSearch(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
                const SentenceFrame& frame, const SharedBatches& sharing);

  /// Returns the tokens that a search does not generate after the segment's prefix
  /// (SearchSetup::banned_after_prefix).
  TokenIds banned_after_prefix(const Segment& segment) const {
    return setup_.banned_after_prefix(segment);
  }

  /// Returns the hypotheses of each segment, ordered as in SearchResult.
  SearchResult search(const std::vector<Segment>& segments,
                      const TranslationRequest& request) const;

 private:
  std::vector<std::vector<std::int64_t>> batches(const std::vector<Segment>& segments) const;
  SearchResult search_alone(const std::vector<Segment>& segments,
                            const TranslationRequest& request) const;

  SearchSetup setup_;
  BatchLimit limit_;
  std::unique_ptr<SharedSearch> shared_;  // null without workers
};

}  // namespace tfm
