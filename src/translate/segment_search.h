// The second stage of a translation: searches for the translations of batches of segments, in
// parallel if there are several threads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "inference.h"
#include "segment_encoder.h"
#include "tfm/search/hypothesis.h"
#include "tfm/search/search_request.h"
#include "tfm/search/step_model.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

class SegmentSearch {
 public:
  /// Throws ConfigError if decoding.stop_token is not in the target vocabulary or the device does
  /// not support decoding.precision, and ModelError if load_shortlist does. The models and the
  /// frame must outlive this object.
  SegmentSearch(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
                const SentenceFrame& frame);

  /// Returns the tokens that a search does not generate after the segment's prefix, except to
  /// complete a forced phrase, and the stop token, which would end the translation there.
  TokenIds banned_after_prefix(const Segment& segment) const;

  /// Returns the hypotheses of each segment, ordered as in SearchResult.
  SearchResult search(const std::vector<Segment>& segments,
                      const TranslationRequest& request) const;

 private:
  using Members = std::vector<const Segment*>;  // the segments of one batch

  TokenIds forbidden_tokens() const;
  std::vector<std::vector<std::int64_t>> batches(const std::vector<Segment>& segments) const;
  SearchRequest make_search_request(const Members& batch, const TranslationRequest& request) const;
  SearchResult search_batch(const Members& batch, const TranslationRequest& request) const;
  SearchResult run_search(std::vector<std::unique_ptr<StepModel>> steps,
                          const SearchRequest& request) const;

  std::vector<TranslationModel*> models_;
  const TranslationModel& model_;  // the first model; all models share its vocabularies
  DecodingConfig decoding_;
  const SentenceFrame& frame_;
  TokenId stop_;
  std::optional<Shortlist> shortlist_;
  Inference inference_;
  bool one_segment_per_batch_ = false;  // if true, each segment forms its own batch
};

}  // namespace tfm
