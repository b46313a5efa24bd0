// Lines -> lines: the one way from text to translated text, used by the command line and by
// validation during training. N lines in, N results out, in order: an empty line gives an empty
// line, a line over the model's length is translated in parts (line_segmenter.h) and joined,
// invalid UTF-8 is replaced by U+FFFD; the result tells of all but the first. A translation holds
// nothing that a reader could take for a line's end. A line's translation does not depend on which
// others are translated with it: with decoding.reproducible to the last bit, otherwise except for
// the last digits of sums.
//
// A Translator is re-entrant: no call changes it, and several threads may call it at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/translate/translation.h"

namespace tfm {

class Translator {
 public:
  /// model: a Model (model/model.h) or TranslationModel, which must outlive this and whose weights
  /// must not change meanwhile. A network in training is taken to evaluation mode while translate
  /// runs. Throws ConfigError if decoding.stop_token, target_prefix or forced_phrases are not in
  /// the target vocabulary, or the device does not have decoding.precision, and ModelError if there
  /// is no such decoding.shortlist.
  Translator(TranslationModel& model, const DecodingConfig& decoding);
  /// Several models as one (search/ensemble.h); alignments are the first one's. Throws ModelError
  /// if they do not share both vocabularies.
  Translator(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding);
  ~Translator();

  /// Throws DataError if a line's constraints are not in the target vocabulary or don't fit into
  /// the longest translation, and ConfigError if alignments are needed and the model does not have
  /// decoding.alignment_head.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslationRequest& request = {}) const;

 private:
  class Stages;
  std::unique_ptr<const Stages> stages_;
};

}  // namespace tfm
