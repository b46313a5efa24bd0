// Prepares the training data of a config ahead of a run: learns its vocabulary and makes its shards
// (data/shard_cache.h), which the run then finds.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tfm/config/config.h"

namespace tfm {

struct PreparedData {
  std::filesystem::path folder;  ///< empty if the run will keep its training data in memory
  std::int64_t pairs = 0;        ///< examples of the run
  std::int64_t source_tokens = 0;
  std::int64_t target_tokens = 0;
};

/// Returns what is in the cache afterwards. Logs what the text contains. Throws what the start of a
/// run throws.
PreparedData prepare_data(const Config& config);

}  // namespace tfm
