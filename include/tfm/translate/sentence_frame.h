// The tokens around the text of a sentence that a model reads with it: the tags of languages, and
// the end-of-sentence token of the source. A source begins or ends with a tag; the decoder reads a
// tag of the target language after its start token. None of these tokens is part of a translation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "tfm/config/config.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

struct TranslationModel;

/// A source as the model reads it.
struct FramedSource {
  TokenIds ids;
  std::size_t text_begin = 0;  ///< index of the first token of the text in `ids`
  std::size_t text_end = 0;    ///< index after the last token of the text
};

class SentenceFrame {
 public:
  /// Throws ConfigError if decoding.source_tag is not in the source vocabulary, if the model lacks
  /// a language that decoding names, or needs one that it does not name (data.language_tags).
  SentenceFrame(const TranslationModel& model, const DecodingConfig& decoding);

  /// Adds the frame to the tokens of a text, with the tag that decoding names or, if it is given,
  /// another tag or none.
  FramedSource add_to(TokenIds text) const { return add_to(std::move(text), source_tag_); }
  FramedSource add_to(TokenIds text, std::optional<TokenId> source_tag) const;
  /// Returns the number of tokens that add_to adds, with or without a tag.
  std::int64_t source_tokens(bool has_tag) const { return (has_tag ? 1 : 0) + (eos_ ? 1 : 0); }
  /// Returns the number of tokens that the decoder reads before the translation.
  std::int64_t target_tokens() const { return target_tag_ ? 2 : 1; }

  /// Returns the tag that decoding names.
  std::optional<TokenId> source_tag() const { return source_tag_; }

  /// Returns the token that the decoder reads between its start token and the translation.
  std::optional<TokenId> target_tag() const { return target_tag_; }
  /// Returns all tags of languages in the target vocabulary, which no translation contains.
  const TokenIds& target_tags() const { return target_tags_; }

 private:
  std::optional<TokenId> source_tag_;
  std::optional<TokenId> target_tag_;
  TokenIds target_tags_;
  std::optional<TokenId> eos_;
  bool tag_after_eos_ = false;
};

}  // namespace tfm
