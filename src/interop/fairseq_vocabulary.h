// The vocabulary of M2M-100 and NLLB-200 models, which have one for all languages. It begins with
// <s>, <pad>, </s> and <unk>, as in fairseq, goes on with the pieces of a SentencePiece model, and
// ends with the tags of the languages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

inline constexpr const char* fairseq_sentencepiece = "sentencepiece.bpe.model";

/// What the files of a tokenizer say.
struct FairseqVocabulary {
  std::vector<std::string> tokens;  ///< in the order of their ids
  LanguageTags language_tags = LanguageTags::first;
  // codes of the languages that the files name as the usual ones; may be empty
  std::string source_language{};
  std::string target_language{};
};

/// Reads the pieces from vocab.json (M2M-100) or, without it, from the SentencePiece model
/// (NLLB-200), and the tags from tokenizer.json, tokenizer_config.json or special_tokens_map.json,
/// whichever is the first to name them. Throws ModelError if a file is missing or malformed, or if
/// none names the tags.
FairseqVocabulary read_fairseq_vocabulary(const std::filesystem::path& folder);

}  // namespace tfm
