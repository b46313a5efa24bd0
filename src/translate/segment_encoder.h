// The first stage of a translation: splits lines into segments, the units that the model
// translates. Each segment has its constraints and the maximum length of its translation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/constraints.h"
#include "tfm/translate/line_segmenter.h"
#include "tfm/translate/sentence_frame.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// The unit that the model translates: a line, or a part of a line.
struct Segment {
  std::size_t line = 0;  ///< index of the line among the lines of the call
  std::size_t part = 0;
  std::string gap;  ///< as in LineSegment
  FramedSource source;
  std::optional<TokenId> target_tag;  ///< SentenceFrame::target_tag
  Constraints constraints;
  std::int64_t max_length = 0;  ///< maximum number of target tokens
};

/// Returns the name of the segment's line for errors: "line 3".
std::string line_name(const Segment& segment, const TranslationRequest& request);

class SegmentEncoder {
 public:
  /// Throws ConfigError if decoding.stop_token, target_prefix or forced_phrases are not in the
  /// target vocabulary. The models and the frame must outlive the encoder.
  SegmentEncoder(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
                 const SentenceFrame& frame);

  /// Returns the segments of all lines in order. Sets the fields of `results` that describe the
  /// source line, and gives lines without tokens an empty candidate. Throws DataError if
  /// constraints cannot be satisfied.
  std::vector<Segment> encode(const std::vector<std::string>& lines,
                              const TranslationRequest& request,
                              std::vector<Translation>& results) const;

 private:
  std::vector<Segment> encode_line(std::size_t line, const std::string& text,
                                   const TranslationRequest& request, Translation& result) const;

  /// The tags of a line, as SentenceFrame names them.
  struct LineTags {
    std::optional<TokenId> source;
    std::optional<TokenId> target;
  };

  LineTags find_tags(const TranslationRequest& request, std::size_t line) const;
  Constraints make_constraints(const Segment& segment, const TranslationRequest& request) const;
  std::int64_t max_length(const Segment& segment, const TranslationRequest& request) const;

  const TranslationModel& model_;
  TokenId stop_;  // -1 without one
  ConstraintEncoder constraints_;
  const SentenceFrame& frame_;
  LineSegmenter segmenter_;
  LineSegmenter tagged_segmenter_;  // leaves room for a tag
  std::int64_t target_limit_;       // maximum number of target tokens
  double max_length_factor_;
};

}  // namespace tfm
