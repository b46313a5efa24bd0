// Imports Transformers that were trained with Marian, and exports those that Marian can express.
// Weights and configuration are in model.npz, the vocabularies in separate files. Marian's decoder
// begins with zeros (model.zero_start), and Marian has no padding token. An import therefore adds a
// start token and a padding token, whose output probability is always 0. An export of an imported
// model leaves them out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/model/model.h"

namespace tfm {

struct TranslationModel;

/// The options of Marian's decoder in a folder: the names of the files, and the search.
inline constexpr const char* marian_decoder_file = "decoder.yml";

struct MarianFiles {
  /// an .npz file; the options of Marian's decoder (.yml); or a folder with decoder.yml, model.npz
  /// or a single .npz file. `tfm import` accepts a folder without decoder.yml only with --format
  /// marian, because it otherwise expects the folder of a Hugging Face model
  std::filesystem::path model;
  /// .yml, .json or .spm files: one for the source and one for the target, or one for both sides;
  /// without them, those that the decoder's options name
  std::vector<std::filesystem::path> vocabularies;
  /// SentencePiece models for .yml or .json vocabularies; without them, those beside vocabularies
  /// that the decoder's options name, and if there are none, the model splits text at white space
  std::vector<std::filesystem::path> sentencepiece{};
};

/// Imports a model, with the search that the decoder's options describe. Logs which of them tfm has
/// no counterpart of. Throws ModelError with the file name if a file is missing or malformed; if
/// tfm cannot express the architecture, the error names the options of Marian that are not
/// supported. Throws ConfigError if the given files cannot be combined.
Model import_marian(const MarianFiles& files);

/// Writes a folder for Marian's decoder atomically: model.npz, the vocabularies, and decoder.yml,
/// which names them. `origin` is the folder that the model was loaded from, `card` the content of
/// README.md. Throws ModelError if the folder is in use or cannot be written. If Marian cannot
/// express the model, the error names `origin` and all config fields that are not supported.
void export_marian(const TranslationModel& model, const std::filesystem::path& folder,
                   const std::filesystem::path& origin, const std::string& card);

}  // namespace tfm
