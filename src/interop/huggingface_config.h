// Reads the fields of config.json and generation_config.json that translation depends on, and the
// languages in tokenizer_config.json, for MarianMT, Pegasus and M2M-100 models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "tfm/config/config.h"

namespace tfm {

struct HuggingFaceConfig {
  Config config;  ///< model sizes, languages and decoding options as tfm's config
  std::int64_t source_size = 0;
  std::int64_t target_size = 0;
  std::int64_t pad = 0;
  std::int64_t eos = 0;
  std::int64_t start = 0;  ///< the decoder's start token
  bool shared = true;      ///< true if source and target share one embedding matrix
  bool tied = true;        ///< true if the output projection is the target embedding
  /// true for M2M-100 and NLLB-200 models, which read tags of languages
  bool multilingual = false;
  std::int64_t forced_target = -1;  ///< the token that begins every translation, or -1
};

/// Returns the activations by their names in Transformers, of which two may have one meaning.
const std::map<std::string, Activation>& huggingface_activations();

/// Reads config.json and, if they exist, generation_config.json and tokenizer_config.json from a
/// model's folder. Throws
/// ModelError with the names of all fields that tfm does not support.
HuggingFaceConfig read_huggingface_config(const std::filesystem::path& folder);

}  // namespace tfm
