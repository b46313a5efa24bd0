// The vocabulary of a new run: that of another model, the files that the config names, or learnt
// from the training data. A vocabulary that was learnt from text in shards is kept beside them, so
// that it is learnt once.
#pragma once

#include <filesystem>
#include <optional>

#include "session_data.h"
#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

/// Returns whether a new run learns its vocabulary from the training data.
bool learns_vocabulary(const Config& config);

/// Returns the place of the vocabulary that is learnt from text with shards in this folder; nullopt
/// if a file of the text changed a moment ago, so that the place could be that of an older text.
/// Throws DataError if a file of the settings can't be read.
std::optional<std::filesystem::path> vocabulary_folder(const Config& config,
                                                       const std::filesystem::path& shards);

/// Returns the vocabulary in this place, or nullopt if there is none or it can't be read.
std::optional<KeptVocabulary> find_vocabulary(const std::filesystem::path& folder);

/// Creates the tokenizers of a new run, replaces `tokenizer.vocab_size: auto` by a number, and adds
/// the symbols that the config needs to tokenizer.symbols if the vocabulary is learnt.
/// Throws what build_tokenizers, load_tokenizers and automatic_vocab_size throw.
TokenizerPair make_vocabulary(Config& config, const SessionText& text);

}  // namespace tfm
