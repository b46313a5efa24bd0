// What a model attends to in a sentence and a given translation of it: the network runs once over
// both, as in training, and returns the attention of every layer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tfm/model/model_folder.h"
#include "tfm/nn/transformer.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

/// A sentence and its translation as token ids.
struct EncodedPair {
  TokenIds source;  ///< with its end mark, where the model has one
  TokenIds target;  ///< without marks
  // Of a part of a long line that is not its first: whether no space stands between the part before
  // it and this one.
  bool no_space_before_source = false;
  bool no_space_before_target = false;
};

/// Nothing where a side has no token or more than the model takes.
std::optional<EncodedPair> encode_pair(const TranslationModel& model, const std::string& source,
                                       const std::string& target);

/// The source without its end mark.
std::span<const TokenId> source_without_eos(const TranslationModel& model, const EncodedPair& pair);

/// Attention over a batch of pairs: row t of a decoder map is what predicts target token t (the
/// last one the end mark), after reading the begin mark and tokens 0..t-1. Padding is at the end of
/// rows and columns.
AttentionMaps compute_attention(TranslationModel& model, std::span<const EncodedPair> pairs);

}  // namespace tfm
