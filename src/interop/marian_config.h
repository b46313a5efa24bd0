// The options of a Marian model that translation depends on. Marian stores the options in the array
// special:model.yml of the model file.
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

/// Returns the options of Marian's decoder for a folder with model.npz and these vocabularies, of
/// the source and of the target.
std::string write_decoder_config(const DecodingConfig& decoding,
                                 const std::vector<std::string>& vocabularies);

}  // namespace tfm
