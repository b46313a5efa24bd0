// Trains a SentencePiece model (Kudo and Richardson 2018) from lines in memory. The same lines and
// config give the same bytes.
#pragma once

#include <string>

#include "tfm/config/config.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

/// Returns the serialised model. Ids 0 to 3 are pad, bos, eos and unk, with their names from the
/// config. Text is normalised as config.normalization says. Shows the progress, and throws
/// Interrupted a moment after a signal to stop. Throws ConfigError if a special token has no name.
/// Throws DataError if all lines are blank, or if the vocabulary size does not suit the text; the
/// message then suggests a suitable size.
std::string train_sentencepiece(const Texts& texts, const TokenizerConfig& config);

}  // namespace tfm
