// The options of Marian that a model file holds (special:model.yml), as far as translation depends
// on them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

struct MarianConfig {
  ModelConfig model;  ///< without positions and embeddings, which the tensors tell
  std::int64_t source_size = 0;
  std::int64_t target_size = 0;
};

/// Throws ModelError naming every option that asks for what tfm's model can't do.
MarianConfig parse_marian_config(const std::string& yaml, const std::filesystem::path& origin);

}  // namespace tfm
