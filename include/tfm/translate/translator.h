// Lines -> lines: the one way from text to translated text, used by the command line and by
// validation during training. N lines in, N results out, in order: an empty line gives an empty
// line, a line over the model's length is translated in parts (line_segmenter.h) and joined,
// invalid UTF-8 is replaced by U+FFFD; all but the first is told in the result. A translation holds
// nothing that a reader could take for a line's end. A line's translation does not depend on which
// others are translated with it: with decoding.reproducible to the last bit, else but for the last
// digits of sums.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/metrics/alignment.h"
#include "tfm/model/model_folder.h"
#include "tfm/search/hypothesis.h"
#include "tfm/translate/attention.h"
#include "tfm/translate/constraints.h"
#include "tfm/translate/inference.h"
#include "tfm/translate/line_segmenter.h"
#include "tfm/translate/shortlist.h"

namespace tfm {

/// A token of a translation, what the model gave it, and what it would have said next best.
struct ExplainedToken {
  std::string piece;  ///< as it is stored ("▁house"); the end mark is one
  float log_prob = 0;
  /// pieces and log-probabilities, best first
  std::vector<std::pair<std::string, float>> alternatives;
};

struct Candidate {
  std::string text;
  double log_prob = 0;
  double score = 0;  ///< normalised by length: what candidates are ordered by
  std::vector<std::string> tokens;
  /// what the model saw and gave: one, or several of a long line
  std::vector<EncodedPair> parts;
  /// where it was asked for (alignment.h); words of all parts are counted on
  WordAlignment alignment;
  std::vector<ExplainedToken> explanation;  ///< where TranslationRequest::alternatives asks for it
};

struct Translation {
  std::vector<Candidate> candidates;  ///< best first; one empty candidate for an empty line
  std::vector<std::string> unknown;   ///< pieces of the source that the vocabulary does not cover
  /// so many sentences or parts went through the model by themselves
  int64_t parts = 1;
  /// the line was divided because it was too long for the model
  bool too_long = false;
  bool repaired = false;  ///< the line was not valid UTF-8

  const std::string& text() const { return candidates.front().text; }
};

/// What is wanted of some lines beside what decoding says.
struct TranslationRequest {
  /// the first line's number in the input: what sampling draws depends on it
  int64_t first_line = 0;
  std::vector<LineConstraints> constraints{};  ///< of each line; empty: none has any
  /// above 0: Candidate::explanation, with so many alternatives a token
  int64_t alternatives = 0;
  /// between batches, once a signal has come: then Interrupted is thrown
  bool interruptible = false;
};

class StepModel;      // search/step_model.h
class Postprocessor;  // postprocessor.h

class Translator {
 public:
  /// Keeps a reference: the model must outlive it. Takes its network to evaluation mode while it
  /// translates. Throws ConfigError where decoding.stop_token, target_prefix or forced_phrases are
  /// not in the target vocabulary, or the device does not have decoding.precision, and ModelError
  /// where decoding.shortlist can't be had. The weights must not change while this lives.
  Translator(TranslationModel& model, const DecodingConfig& decoding);
  /// Several models as one (search/ensemble.h). Throws ModelError where they do not share both
  /// vocabularies.
  Translator(std::vector<TranslationModel*> models, const DecodingConfig& decoding);
  ~Translator();

  /// Throws DataError where a line's constraints are not in the target vocabulary or don't fit into
  /// the longest translation.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslationRequest& request = {});

 private:
  struct Segment {  // what goes through the model as one sentence: a line, or a part of a long one
    std::size_t line = 0;
    std::size_t part = 0;
    std::string gap;  // LineSegment's
    TokenIds ids;
    Constraints constraints;
    int64_t max_length = 0;
  };

  std::vector<Translation> translate_segments(const std::vector<std::string>& lines,
                                              const TranslationRequest& request);
  std::vector<Segment> encode(const std::vector<std::string>& lines,
                              const TranslationRequest& request,
                              std::vector<Translation>& results) const;
  void add_wishes(Segment& piece, const TranslationRequest& request) const;
  SearchRequest make_search_request(const std::vector<const Segment*>& batch,
                                    const TranslationRequest& request) const;
  SearchResult search(const std::vector<const Segment*>& batch, const TranslationRequest& request);
  SearchResult run_search(std::vector<std::unique_ptr<StepModel>> steps,
                          const SearchRequest& spec) const;
  std::vector<std::vector<int64_t>> batches(const std::vector<Segment>& pieces) const;
  void append_segment(Translation& result, const Segment& piece,
                      const std::vector<Hypothesis>& hypotheses) const;
  void explain(Candidate& candidate, const Hypothesis& hypothesis) const;

  std::vector<TranslationModel*> models_;
  TranslationModel& model_;  // the first: its tokenizers and marks are everyone's
  DecodingConfig decoding_;
  TokenId stop_;
  ConstraintEncoder wishes_;
  std::unique_ptr<Postprocessor> finisher_;
  LineSegmenter divider_;
  int64_t target_limit_;  // tokens of a translation
  Inference inference_;
  std::optional<Shortlist> shortlist_;
  bool alone_ = false;  // each piece in a batch of its own
};

}  // namespace tfm
