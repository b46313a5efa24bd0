// config.json and generation_config.json of a MarianMT model, as far as translation needs them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

Config config;  ///< model sizes and decoding options as tfm's config
Config config;  ///< model sizes and decoding, as tfm has them
std::int64_t source_size = 0;
std::int64_t target_size = 0;
std::int64_t pad = 0;
std::int64_t start = 0;  ///< the decoder's start token
bool shared = true;      ///< source and target share one embedding matrix
bool tied = true;        ///< the output projection is the target embedding
bool tied = true;        ///< and the output projection has the target's
};
/// Throws ModelError with every field that tfm does not support.
/// Throws ModelError naming every field that asks for what tfm's model can't do.
HuggingFaceConfig read_huggingface_config(const std::filesystem::path& folder);

}  // namespace tfm
