// Lines -> lines: the one way from text to translated text, used by the command line and by validation during training. N lines in, N results out,
// in order: an empty line gives an empty line, a line over the model's length is translated in parts and joined, invalid UTF-8 is replaced by U+FFFD;
// all but the first is told in the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/metrics/alignment.h"
#include "tfm/nn/ops/inference_weights.h"
#include "tfm/search/hypothesis.h"
#include "tfm/translate/attention.h"
#include "tfm/translate/model_folder.h"

namespace tfm {

struct Candidate {
  std::string text;
  double log_prob = 0;
  double score = 0;  ///< normalised by length: what candidates are ordered by
  std::vector<std::string> tokens;
  std::vector<TokenPair> parts;  ///< what the model saw and gave: one, or several of a long line
  WordAlignment alignment;       ///< where it was asked for (alignment.h); words of all parts are counted on
};

struct Translation {
  std::vector<Candidate> candidates;  ///< best first; one empty candidate for an empty line
  std::vector<std::string> unknown;   ///< pieces of the source that the vocabulary does not cover
  int64_t parts = 1;                  ///< more than 1: the line was too long for the model
  bool repaired = false;              ///< the line was not valid UTF-8

  const std::string& text() const { return candidates.front().text; }
};

class Translator {
 public:
  /// Keeps a reference: the model must outlive it. Takes its network to evaluation mode while it translates. Throws ConfigError where
  /// decoding.stop_token is no token of the target vocabulary, or the device does not have decoding.precision. The weights must not change while this
  /// lives.
  Translator(TranslationModel& model, const DecodingConfig& decoding);

  std::vector<Translation> translate(const std::vector<std::string>& lines);

 private:
  struct Piece {  // what goes through the model as one sentence: a line, or a part of a long one
    std::size_t line = 0;
    TokenIds ids;
  };

  std::vector<Piece> encode(const std::vector<std::string>& lines, std::vector<Translation>& results) const;
  SearchResult search(const std::vector<const Piece*>& batch);
  void add_part(Translation& result, const Piece& piece, const std::vector<Hypothesis>& hypotheses) const;

  TranslationModel& model_;
  DecodingConfig decoding_;
  TokenId stop_;
  std::optional<InferenceWeights> weights_;  // on the CPU
  bool bf16_on_device_ = false;
};

/// Valid UTF-8 from any bytes: each byte that does not belong becomes U+FFFD.
std::string repair_utf8(std::string_view text);

}  // namespace tfm
