// Reads the options in a Marian model file (special:model.yml) that translation depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

struct MarianConfig {
  ModelConfig model;  ///< without positions and embeddings, which the tensors determine
  std::int64_t source_size = 0;
  std::int64_t target_size = 0;
};

/// Parses the options. Throws ModelError with the names of all options that tfm does not support.
MarianConfig parse_marian_config(const std::string& yaml, const std::filesystem::path& origin);

}  // namespace tfm
