// Exports a model to CTranslate2 (opennmt.net/CTranslate2) as config.json, the vocabularies and
// model.bin. The file model.bin has binary version 6 and contains the variables of TransformerSpec
// revision 7. CTranslate2 translates tokens, not text, so the tokenizers are exported, too. Weights
// are written in fp32; CTranslate2 can quantise them when it loads the model.
#pragma once

#include <filesystem>
#include <string>

namespace tfm {

struct TranslationModel;

/// Writes a folder with model.bin, config.json, the vocabularies, the tokenizers and the README.md
/// `card` atomically. `origin` is the folder that the model was loaded from. Throws ModelError if
/// `folder` is in use or cannot be written, or if source and target vocabularies spell bos, eos or
/// unk differently. If CTranslate2 cannot express the model, the error names `origin` and all
/// config fields that are not supported.
void export_ctranslate2(const TranslationModel& model, const std::filesystem::path& folder,
                        const std::filesystem::path& origin, const std::string& card);

}  // namespace tfm
