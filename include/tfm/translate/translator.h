// Translates lines of text; used by the command line and by validation during training. N lines
// give N results in the same order.
// - An empty line gives an empty translation.
// - A line that is too long for the model is translated in segments (line_segmenter.h) and joined.
// - Invalid UTF-8 is replaced by U+FFFD. Each Translation records whether its line had invalid
//   UTF-8, text that the vocabulary does not cover, or several segments.
// - Translations contain no line breaks or other control characters, except tabs if the line has
//   any.
// A line's translation does not depend on the other lines. With decoding.reproducible, it is
// bit-identical in every batch; otherwise the last digits of sums may differ.
//
// A Translator is re-entrant: its methods do not change it, and several threads may call it at
// once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/translate/shared_batches.h"
#include "tfm/translate/translation.h"

namespace tfm {

class Translator {
 public:
  /// Translates with one model; a Model (model/model.h) converts implicitly. The model must outlive
  /// the translator, and its weights must not change. If the network is in training mode, translate
  /// switches it to evaluation mode and back. Throws ConfigError if decoding.stop_token,
  /// target_prefix or forced_phrases are not in the target vocabulary, or if the device does not
  /// support decoding.precision. Throws ConfigError or DataError if unknown words cannot be
  /// replaced (Postprocessor). Throws ModelError if the file of decoding.shortlist is missing or
  /// malformed, or was made for other vocabularies.
  Translator(TranslationModel& model, const DecodingConfig& decoding,
             const SharedBatches& sharing = {});
  /// Translates with an ensemble (search/ensemble.h); alignments are those of the first model. Also
  /// throws ModelError if there is no model, or if the models differ in a vocabulary or in
  /// data.source_eos.
  Translator(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
             const SharedBatches& sharing = {});
  ~Translator();

  /// Translates the lines. Throws DataError if a line's constraints are not in the target
  /// vocabulary, contain the stop token or do not fit within the maximum length, or if next words
  /// are requested for a line that is translated in several segments. Throws ConfigError
  /// if a tag of the request is not in the source vocabulary, or if alignments are needed but the
  /// model does not have the head that decoding.alignment_head names.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslationRequest& request = {}) const;

 private:
  class Stages;
  std::unique_ptr<const Stages> stages_;
};

}  // namespace tfm
