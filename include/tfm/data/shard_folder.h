// Chooses the folder of the cache for training data that is too large for memory (shard_cache.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tfm/config/config.h"

namespace tfm {

/// Returns the folder for the shards of a text, or nullopt if the text is to be kept in memory.
/// data.cache may be a folder, `none` or `auto`: tfm-cache beside the text, or in the user's cache
/// if that folder can't be written, for a text of more than `limit` bytes. Text that can be read
/// only once is kept in memory.
std::optional<std::filesystem::path> shard_folder(const DataConfig& config,
                                                  std::uintmax_t limit = std::uintmax_t{256} << 20);

/// Returns the cache beside the text if it exists but can't be written, and data.cache is `auto`;
/// otherwise an empty path.
std::filesystem::path read_only_cache(const DataConfig& config);

}  // namespace tfm
