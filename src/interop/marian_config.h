// The options of a Marian model that translation depends on, and those of Marian's decoder. Marian
// stores the former in the array special:model.yml of the model file, the latter in decoder.yml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

struct MarianConfig {
  ModelConfig model;  ///< all fields except positions and embeddings, which the tensors determine
  std::int64_t source_size = 0;
  std::int64_t target_size = 0;
};

/// Parses the options. Throws ModelError with the names of all options that tfm does not support.
MarianConfig parse_marian_config(const std::string& yaml, const std::filesystem::path& origin);

/// Returns the options of a model that Marian can express, as YAML: the inverse of
/// parse_marian_config.
std::string write_marian_config(const MarianConfig& config);

/// What the options of Marian's decoder say.
struct MarianDecoderConfig {
  std::vector<std::filesystem::path> models;
  std::vector<std::filesystem::path> vocabularies;  ///< of the source and of the target
  DecodingConfig decoding;  ///< with the default of each field that the options do not set
  /// names of options that change translations, and that tfm has no counterpart of
  std::vector<std::string> unused;
};

/// Reads the options of Marian's decoder. A file that is not where they say is expected beside
/// them. Throws ModelError if they cannot be read.
MarianDecoderConfig read_decoder_config(const std::filesystem::path& file);

/// Returns the options of Marian's decoder for a folder with model.npz and these vocabularies, of
/// the source and of the target.
std::string write_decoder_config(const DecodingConfig& decoding,
                                 const std::vector<std::string>& vocabularies);

}  // namespace tfm
