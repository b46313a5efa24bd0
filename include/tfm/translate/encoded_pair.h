// A sentence and its translation as token ids: what attention and word alignments are computed
// from.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tfm/tokenizer/vocab.h"

namespace tfm {

struct TranslationModel;

struct EncodedPair {
  TokenIds source;  ///< with its end mark, if the model has one
  TokenIds target;  ///< without marks
  // For a part of a long line that is not its first: whether no space stands between the part
  // before it and this one.
  bool no_space_before_source = false;
  bool no_space_before_target = false;
};

/// nullopt if a side has no token, or more than the model takes.
std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target);

/// The source without its end mark.
std::span<const TokenId> source_without_eos(const TranslationModel& model, const EncodedPair& pair);

}  // namespace tfm
