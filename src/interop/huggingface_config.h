// config.json and generation_config.json of a MarianMT model, as far as translation depends on it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

struct HuggingFaceConfig {
  Config config;  ///< model sizes and decoding, as tfm has them
  std::int64_t source_size = 0;
  std::int64_t target_size = 0;
  std::int64_t pad = 0;
  std::int64_t eos = 0;
  std::int64_t start = 0;  ///< the token whose embedding the decoder starts from
  bool shared = true;      ///< source and target have one embedding matrix
  bool tied = true;        ///< and the output projection has the target's
};

/// Throws ModelError naming every field that asks for what tfm's model can't do.
HuggingFaceConfig read_huggingface_config(const std::filesystem::path& folder);

}  // namespace tfm
