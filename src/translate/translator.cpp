#include "tfm/translate/translator.h"

#include <algorithm>

#include "batch_workers.h"
#include "candidate_builder.h"
#include "ensemble.h"
#include "next_word_search.h"
#include "segment_encoder.h"
#include "segment_search.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/tensor/device.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/words.h"
#include "tfm/translate/postprocessor.h"

namespace tfm {

/// The stages of a translation: lines are encoded as segments, a search finds hypotheses for each
/// segment, hypotheses are joined into candidates, and candidates are aligned and completed.
class Translator::Stages {
 public:
  Stages(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
         const SharedBatches& sharing)
      : model_(*models.front()),
        frame_(model_, decoding),
        encoder_(models, decoding, frame_),
        postprocessor_(decoding, *model_.tokenizers.target),
        search_(models, decoding, frame_, sharing) {
    if (has_tfm_kernels(model_.device) && decoding.coverage_penalty > 0)
      log_debug("coverage_penalty: decoding copies keys and values, and is slower");
  }

  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslationRequest& request) const {
    const auto input = postprocessor_.separate_markup(lines, request.keep_markup);
    std::vector<Translation> results(lines.size());
    const auto segments = encoder_.encode(input.texts, request, results);
    const auto found = request.next_words > 0
                           ? search_next_words(search_, whole_lines(segments, request), request,
                                               *model_.tokenizers.target)
                           : search_.search(segments, request);
    for_each_line(lines.size(), [&](std::size_t line) {
      const auto own = std::ranges::equal_range(segments, line, {}, &Segment::line);
      for (auto segment = own.begin(); segment != own.end(); ++segment) {
        append_segment(results[line], *segment,
                       found[static_cast<std::size_t>(segment - segments.begin())],
                       *model_.tokenizers.target);
      }
    });
    postprocessor_.finish(model_, input, request, results);
    for_each_line(lines.size(),
                  [&](std::size_t line) { remove_controls(lines[line], results[line]); });
    return results;
  }

 private:
  /// Returns the segments. Throws DataError if a line has several.
  static const std::vector<Segment>& whole_lines(const std::vector<Segment>& segments,
                                                 const TranslationRequest& request) {
    for (const auto& segment : segments) {
      if (segment.part == 0) continue;
      throw DataError(line_name(segment, request),
                      "the line is translated in several segments, so it has no next words",
                      "Send each sentence as a line of its own.");
    }
    return segments;
  }

  /// Replaces line breaks and other control characters, which byte tokens, copied words and markup
  /// may contain, by spaces. Tabs are kept if the source line has any. A space within a word makes
  /// two words of it.
  static void remove_controls(const std::string& source, Translation& translation) {
    const bool has_tabs = source.find('\t') != source.npos;
    const auto clean = [has_tabs](const std::string& text) {
      return has_tabs ? replace_line_breaks(text) : replace_line_breaks_and_tabs(text);
    };
    for (auto& candidate : translation.candidates) {
      candidate.text = clean(candidate.text);
      std::vector<AlignedWord> words;
      for (const auto& [text, probability, source_word] : candidate.words) {
        const auto cleaned = clean(text);
        for (const auto word : split_words(cleaned))
          words.push_back({std::string(word), probability, source_word});
      }
      candidate.words = std::move(words);
    }
  }

  TranslationModel& model_;  // the first model; all models share its vocabularies
  SentenceFrame frame_;
  SegmentEncoder encoder_;
  Postprocessor postprocessor_;
  SegmentSearch search_;
};

Translator::Translator(TranslationModel& model, const DecodingConfig& decoding,
                       const SharedBatches& sharing)
    : Translator(std::vector{&model}, decoding, sharing) {}

Translator::Translator(const std::vector<TranslationModel*>& models, const DecodingConfig& decoding,
                       const SharedBatches& sharing)
    : stages_((check_ensemble(models), std::make_unique<const Stages>(models, decoding, sharing))) {
}

Translator::~Translator() = default;

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const TranslationRequest& request) const {
  return stages_->translate(lines, request);
}

}  // namespace tfm
