// Exports a model as a package of Argos Translate (argosopentech.com), which LibreTranslate uses,
// too. The package is a zip file with one folder: metadata.json, sentencepiece.model, README.md and
// the CTranslate2 model. Argos Translate segments the source and joins the pieces of the target
// with the same SentencePiece model.
#pragma once

#include <filesystem>
#include <string>

namespace tfm {

struct TranslationModel;

/// Writes the package NAME.argosmodel atomically. `origin` is the folder that the model was loaded
/// from, `card` the content of README.md. Throws ModelError if the file exists or cannot be
/// written, and ConfigError if the languages of the model are not known. If Argos Translate cannot
/// use the model, the ModelError names `origin` and all config fields that are not supported.
void export_argos(const TranslationModel& model, const std::filesystem::path& file,
                  const std::filesystem::path& origin, const std::string& card);

}  // namespace tfm
