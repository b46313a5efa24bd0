// The request and the result of a Translator (translator.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "tfm/data/language_pair.h"
#include "tfm/text/word_alignment.h"
#include "tfm/translate/aligned_word.h"
#include "tfm/translate/constraints.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// The settings of one call of Translator::translate, in addition to the decoding config.
struct TranslationRequest {
  /// index of the first line in the whole input, from 0; selects the random numbers of sampling
  std::int64_t first_line = 0;
  std::vector<LineConstraints> constraints{};  ///< one per line; empty if there are none
  /// One per line; empty if all lines have those that decoding names. A model that needs tags
  /// (data.language_tags) has those that decoding names in place of empty ones. A target tag of
  /// another model is not read.
  std::vector<SentenceTags> tags{};
  /// if above 0, sets Candidate::explanation with this number of alternatives per token
  std::int64_t alternatives = 0;
  /// If false, log-probabilities and scores may be missing: Candidate::log_prob and score are then
  /// NaN, and token_log_probs is empty. Greedy search is faster without them.
  bool scores = true;
  bool alignment = false;  ///< if true, sets Candidate::alignment
  bool words = false;      ///< if true, sets Candidate::words
  /// If above 0, a translation has at most this number of candidates, which begin with the line's
  /// prefix and differ in the next word; the most probable word comes first. The prefix then
  /// consists of complete words, and a line of several segments is an error.
  std::int64_t next_words = 0;
  bool keep_markup = false;  ///< if true, acts as decoding.keep_markup
  /// makes translate throw Interrupted before the next batch if a signal has arrived
  bool interruptible = false;
  /// asks a Translator whose calls share batches to give this one up: it then throws Interrupted
  std::stop_token stop{};
  /// Called after each batch, by one thread at a time, with the share of the source tokens
  /// translated so far. An exception of on_batch is passed on to the caller of translate.
  std::function<void(double)> on_batch{};
};

/// A token of a translation with its probability and the most probable alternatives.
struct ExplainedToken {
  std::string piece;  ///< the token as the vocabulary spells it, such as "▁house" or "</s>"
  float log_prob = 0;
  /// pieces and log-probabilities, best first
  std::vector<std::pair<std::string, float>> alternatives;
};

struct Candidate {
  std::string text;
  double log_prob = 0;
  double score = 0;  ///< Hypothesis::score; for a split line, the lowest score of its segments
  std::vector<std::string> tokens;
  std::vector<float> token_log_probs;  ///< log-probabilities (natural logarithm), one per token
  /// source and target tokens, one pair per segment of the line
  std::vector<EncodedPair> parts;
  /// Set if TranslationRequest::alignment or words is set, or if markup or unknown words need it.
  /// Links words of the line and of `text`, both without markup. White space separates words.
  WordAlignment alignment;
  /// the words of `text`, set if TranslationRequest::words is set; empty if the text has other
  /// words than the tokens, because markup was restored
  std::vector<AlignedWord> words;
  std::vector<ExplainedToken> explanation;  ///< set if TranslationRequest::alternatives > 0
};

struct Translation {
  std::vector<Candidate> candidates;  ///< best first; one empty candidate for an empty line
  std::vector<std::string> unknown;   ///< source text that the vocabulary lacks (Tokenizer::encode)
  /// number of segments of the line that were translated separately
  std::int64_t parts = 1;
  /// true if the line was split because it was too long for the model
  bool was_split = false;
  bool had_invalid_utf8 = false;  ///< true if the line was not valid UTF-8

  const std::string& text() const { return candidates.front().text; }
};

}  // namespace tfm
