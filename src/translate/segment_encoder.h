// The first stage of a translation: lines become segments, the units that go through the model,
// with what each must contain and how long its translation may be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/constraints.h"
#include "tfm/translate/line_segmenter.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// What goes through the model as one sentence: a line, or a part of a long one.
struct Segment {
  std::size_t line = 0;  ///< its index in the lines of the call
  std::size_t part = 0;
  std::string gap;  ///< LineSegment's
  TokenIds ids;     ///< with the end mark, if the model has one
  Constraints constraints;
  std::int64_t max_length = 0;  ///< tokens of its translation
};

/// The id of the token that is stored as `piece`, -1 if it is empty. Throws ConfigError if the
/// vocabulary does not have it.
TokenId find_stop_token(const Tokenizer& target, const std::string& piece);

class SegmentEncoder {
 public:
  /// Throws ConfigError as Translator does. The models must outlive this.
  SegmentEncoder(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding);

  /// The segments of the lines in order. Fills what the results say of their lines, and gives lines
  /// without tokens an empty candidate. Throws DataError if constraints can't be met.
  std::vector<Segment> encode(const std::vector<std::string>& lines,
                              const TranslationRequest& request,
                              std::vector<Translation>& results) const;

 private:
  Constraints constraints_of(const Segment& segment, const TranslationRequest& request) const;
  std::int64_t max_length(const Segment& segment, const TranslationRequest& request) const;

  const TranslationModel& model_;
  TokenId stop_;
  ConstraintEncoder constraints_;
  LineSegmenter segmenter_;
  std::int64_t target_limit_;  // tokens of a translation
  double max_length_factor_;
};

}  // namespace tfm
