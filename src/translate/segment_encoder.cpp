#include "segment_encoder.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "batch_workers.h"
#include "tfm/core/error.h"
#include "tfm/text/utf8.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {
namespace {

/// Returns the largest number of tokens per segment, without those of the frame, that fits the
/// maximum length of every model.
std::int64_t source_limit(const std::vector<TranslationModel*>& models, const SentenceFrame& frame,
                          bool has_tag) {
  auto limit = std::numeric_limits<std::int64_t>::max();
  for (const TranslationModel* model : models)
    limit = std::min(limit, model->config.data.resolved_max_length());
  return std::max<std::int64_t>(1, limit - frame.source_tokens(has_tag));
}

/// Returns the maximum number of target tokens. With learned positions, bos and a tag need
/// positions, too.
std::int64_t target_limit(const std::vector<TranslationModel*>& models,
                          const DecodingConfig& decoding, const SentenceFrame& frame) {
  auto limit = decoding.max_length;
  for (const TranslationModel* model : models) {
    if (model->config.model.positions == Positions::learned)
      limit = std::min(limit, model->config.model.max_positions - frame.target_tokens());
  }
  return limit;
}

/// Returns the tokens that the translation must contain: those of the prefix and of the forced
/// phrases.
TokenIds wanted_tokens(const Constraints& constraints) {
  TokenIds wanted = constraints.prefix;
  for (const auto& phrase : constraints.forced)
    wanted.insert(wanted.end(), phrase.begin(), phrase.end());
  return wanted;
}

}  // namespace

std::string line_name(const Segment& segment, const TranslationRequest& request) {
  const auto number = request.first_line + static_cast<std::int64_t>(segment.line) + 1;
  return "line " + std::to_string(number);
}

SegmentEncoder::SegmentEncoder(const std::vector<TranslationModel*>& models,
                               const DecodingConfig& decoding, const SentenceFrame& frame)
    : model_(*models.front()),
      stop_(require_piece(*model_.tokenizers.target, decoding.stop_token, stop_token_field)
                .value_or(-1)),
      constraints_(*model_.tokenizers.target, decoding),
      frame_(frame),
      segmenter_(*model_.tokenizers.source, source_limit(models, frame, false),
                 decoding.split_sentences),
      tagged_segmenter_(*model_.tokenizers.source, source_limit(models, frame, true),
                        decoding.split_sentences),
      target_limit_(target_limit(models, decoding, frame)),
      max_length_factor_(decoding.max_length_factor) {}

std::vector<Segment> SegmentEncoder::encode(const std::vector<std::string>& lines,
                                            const TranslationRequest& request,
                                            std::vector<Translation>& results) const {
  std::vector<std::vector<Segment>> encoded(lines.size());
  for_each_line(lines.size(),
                [&](std::size_t i) { encoded[i] = encode_line(i, lines[i], request, results[i]); });
  std::vector<Segment> segments;
  segments.reserve(lines.size());
  for (auto& line : encoded) std::ranges::move(line, std::back_inserter(segments));
  return segments;
}

/// Returns the segments of a line, and does for its result what encode does.
std::vector<Segment> SegmentEncoder::encode_line(std::size_t line, const std::string& text,
                                                 const TranslationRequest& request,
                                                 Translation& result) const {
  result.had_invalid_utf8 = invalid_utf8(text).has_value();
  const auto tags = find_tags(request, line);
  const auto& segmenter = tags.source ? tagged_segmenter_ : segmenter_;
  auto segmented = segmenter.segment(result.had_invalid_utf8 ? repair_utf8(text) : text);
  auto& parts = segmented.segments;
  result.unknown = std::move(segmented.unknown);
  result.was_split = segmented.was_split;
  result.parts = std::max<std::int64_t>(1, std::ssize(parts));
  if (parts.empty()) result.candidates.emplace_back();
  std::vector<Segment> segments;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    Segment segment{line,
                    part,
                    std::move(parts[part].gap),
                    frame_.add_to(std::move(parts[part].ids), tags.source),
                    tags.target,
                    {},
                    0};
    segment.constraints = make_constraints(segment, request);
    segment.max_length = max_length(segment, request);
    segments.push_back(std::move(segment));
  }
  return segments;
}

SegmentEncoder::LineTags SegmentEncoder::find_tags(const TranslationRequest& request,
                                                   std::size_t line) const {
  LineTags tags{frame_.source_tag(), frame_.target_tag()};
  if (request.tags.empty()) return tags;
  const auto& [source, target] = request.tags[line];
  const bool needs_tags = tags.target.has_value();
  if (!source.empty() || !needs_tags)
    tags.source = require_piece(*model_.tokenizers.source, source, source_tag_field);
  if (!target.empty())
    tags.target = require_piece(*model_.tokenizers.target, target, target_tag_field);
  return tags;
}

/// Returns the constraints of a segment. The prefix and the forced phrases of a line apply only to
/// its first segment.
Constraints SegmentEncoder::make_constraints(const Segment& segment,
                                             const TranslationRequest& request) const {
  if (segment.part > 0) {
    Constraints constraints;
    constraints.forbidden = constraints_.general().forbidden;
    return constraints;
  }
  if (request.constraints.empty()) return constraints_.general();
  return constraints_.encode(request.constraints[segment.line],
                             request.first_line + static_cast<std::int64_t>(segment.line) + 1);
}

std::int64_t SegmentEncoder::max_length(const Segment& segment,
                                        const TranslationRequest& request) const {
  const TokenIds wanted = wanted_tokens(segment.constraints);
  if (stop_ >= 0 && std::ranges::find(wanted, stop_) != wanted.end()) {
    throw DataError(line_name(segment, request),
                    "the target prefix or a forced phrase contains the stop token, which would end "
                    "the translation there",
                    "Remove it from them, or set another decoding.stop_token.");
  }
  const auto needed = std::ssize(wanted);
  if (needed > target_limit_) {
    throw DataError(line_name(segment, request),
                    "the target prefix and forced phrases have " + std::to_string(needed) +
                        " tokens, but a translation has at most " + std::to_string(target_limit_),
                    "Shorten them, or raise decoding.max_length.");
  }
  const auto by_source = static_cast<std::int64_t>(max_length_factor_ *
                                                   static_cast<double>(segment.source.ids.size())) +
                         10;
  return std::min(target_limit_, std::max<std::int64_t>(by_source, needed));
}

}  // namespace tfm
