// What all batches of a Translator's searches share: the models with their packed weights, the
// settings, and how segments become a request of a search. Several threads may use it at once.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inference.h"
#include "segment_encoder.h"
#include "tfm/search/search_request.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

class SearchSetup {
 public:
  /// Throws ConfigError if decoding.stop_token is not in the target vocabulary or the device does
  /// not support decoding.precision, and ModelError if load_shortlist does. The models and the
  /// frame must outlive this object.
  SearchSetup(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
              const SentenceFrame& frame);

  const std::vector<TranslationModel*>& models() const { return models_; }
  const DecodingConfig& decoding() const { return decoding_; }
  const std::optional<Shortlist>& shortlist() const { return shortlist_; }
  const Inference& inference() const { return inference_; }
  /// Returns true if a segment's translation can depend on the others of its batch, although the
  /// settings ask for reproducible translations.
  bool one_segment_per_batch() const { return one_segment_per_batch_; }
  /// Returns true if segments may join a batch between two steps of its search.
  bool can_join() const;

  /// Returns the tokens that a search does not generate after the segment's prefix, except to
  /// complete a forced phrase, and the stop token, which would end the translation there.
  TokenIds banned_after_prefix(const Segment& segment) const;
  SearchRequest make_search_request(std::span<const Segment* const> segments,
                                    const TranslationRequest& request) const;
  /// Returns the paths of the weight files of all models that were loaded from a folder.
  std::string weights_files() const;

 private:
  TokenIds forbidden_tokens() const;

  std::vector<TranslationModel*> models_;
  const TranslationModel& model_;  // the first model; all models share its vocabularies
  DecodingConfig decoding_;
  const SentenceFrame& frame_;
  TokenId stop_;
  std::optional<Shortlist> shortlist_;
  Inference inference_;
  bool one_segment_per_batch_ = false;
};

}  // namespace tfm
