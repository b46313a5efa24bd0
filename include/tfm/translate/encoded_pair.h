// A sentence and its translation as token ids, the input of attention and word alignment.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tfm/tokenizer/vocab.h"

namespace tfm {

struct TranslationModel;

struct EncodedPair {
  TokenIds source;  ///< with eos, if the model's sources have it
  TokenIds target;  ///< without bos and eos
  // True for a segment of a split line that directly continues the text of the segment before it,
  // without a space in between.
  bool no_space_before_source = false;
  bool no_space_before_target = false;
};

/// Encodes a sentence and its translation; `tag`, if any, becomes the first source token. Returns
/// nullopt if either side has no tokens, or has more tokens than the model's data.max_length
/// allows, including eos.
std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target, const std::string& tag = "");

/// Returns the source tokens of the pair without eos.
std::span<const TokenId> source_without_eos(const TranslationModel& model, const EncodedPair& pair);

}  // namespace tfm
