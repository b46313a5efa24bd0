// The README.md of an exported model: what the model is, how it was made and how it is loaded, for
// people who receive the folder without the program that wrote it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

/// The facts of a model that its card states.
struct ModelFacts {
  std::string name;       ///< of the folder that the model comes from
  std::string languages;  ///< "de to en, de to fr"; empty if they are not known
  std::int64_t parameters = 0;
  TokenizerKind tokenizer = TokenizerKind::sentencepiece;
  bool joint = false;          ///< one vocabulary for source and target
  std::string vocabulary;      ///< "4000 tokens, source and target together"
  bool language_tags = false;  ///< the model reads tags of languages (data.language_tags)
  std::string never_produced;  ///< Python list of the pieces that no translation contains
  /// what each tag that source sentences begin with stands for, and the tag, which may be empty:
  /// {"de to fr", "<2fr>"}; no entries for a model without such tags (data.tags)
  std::vector<std::pair<std::string, std::string>> tags{};
  /// names and values of the model's record (list_record); may be empty
  std::vector<std::pair<std::string, std::string>> record;
};

/// Returns the Markdown page for a model that was exported to CTranslate2.
std::string ctranslate2_card(const ModelFacts& facts);
/// Returns the page for a package of Argos Translate.
std::string argos_card(const ModelFacts& facts);
/// Returns the page for a model of Marian.
std::string marian_card(const ModelFacts& facts);
/// Returns the page for a model of Hugging Face Transformers.
std::string huggingface_card(const ModelFacts& facts);

}  // namespace tfm
