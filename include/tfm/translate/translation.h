// What a Translator (translator.h) is asked for and what it returns.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tfm/metrics/alignment.h"
#include "tfm/translate/constraints.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// What one call asks for beside the decoding options.
struct TranslationRequest {
  /// the first line's number in the input, from 0: what sampling draws depends on it
  std::int64_t first_line = 0;
  std::vector<LineConstraints> constraints{};  ///< one per line; empty: no line has any
  /// above 0: fill Candidate::explanation with this many alternatives per token
  std::int64_t alternatives = 0;
  bool alignment = false;  ///< fill Candidate::alignment
  /// throw Interrupted between batches once a signal has come
  bool interruptible = false;
};

/// A token of a translation, its probability, and what else the model could have said.
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
  /// what the model read and wrote: one pair, or several for a long line
  std::vector<EncodedPair> parts;
  /// filled if TranslationRequest::alignment asks for it, and if markup or unknown words needed it;
  /// words are numbered across all parts
  WordAlignment alignment;
  std::vector<ExplainedToken> explanation;  ///< if TranslationRequest::alternatives asks for it
};

struct Translation {
  std::vector<Candidate> candidates;  ///< best first; one empty candidate for an empty line
  std::vector<std::string> unknown;   ///< pieces of the source that the vocabulary does not cover
  /// how many sentences or parts of the line went through the model separately
  std::int64_t parts = 1;
  /// the line was divided because it was too long for the model
  bool too_long = false;
  bool repaired = false;  ///< the line was not valid UTF-8

  const std::string& text() const { return candidates.front().text; }
};

}  // namespace tfm
