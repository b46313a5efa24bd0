// A sentence and its translation as token ids, the input of attention and word alignment.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tfm/translate/sentence_frame.h"

namespace tfm {

struct EncodedPair {
  FramedSource source;
  TokenIds target;                    ///< without bos, tag and eos
  std::optional<TokenId> target_tag;  ///< SentenceFrame::target_tag
  // True for a segment of a split line that directly continues the text of the segment before it,
  // without a space in between.
  bool no_space_before_source = false;
  bool no_space_before_target = false;
};

/// Encodes a sentence and its translation. Returns nullopt if either side has no tokens, or has
/// more tokens than the model's data.max_length allows, including those of the frame.
std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target, const SentenceFrame& frame);
/// Encodes a pair with the frame of the model's own decoding config. Throws as SentenceFrame does.
std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target);

/// Returns the tokens of the source text, without tag and eos.
std::span<const TokenId> source_text(const EncodedPair& pair);
/// Returns what the decoder reads: bos, the tag if there is one, and the target.
TokenIds decoder_input(const EncodedPair& pair, TokenId bos);

}  // namespace tfm
