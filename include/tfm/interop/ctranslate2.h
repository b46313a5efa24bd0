// A model as CTranslate2 (opennmt.net/CTranslate2) reads it: model.bin in its binary version 6 with
// the variables of its TransformerSpec, revision 7, config.json and the vocabularies. CTranslate2
// knows token pieces, not text; weights are written in fp32, and it quantises them when it loads
// them.
#pragma once

#include <filesystem>

namespace tfm {

struct TranslationModel;

/// Writes model.bin, config.json, the vocabularies, and the tokenizers beside them. origin: where
/// the model is from. Throws ModelError if the folder already holds a model or can't be written,
/// and with the origin and every field of the config that CTranslate2 can't express.
void export_ctranslate2(const TranslationModel& model, const std::filesystem::path& folder,
                        const std::filesystem::path& origin);

}  // namespace tfm
