#include "tfm/data/shard_folder.h"

#include <unistd.h>

#include <cstdlib>

#include "tfm/data/corpus.h"
#include "tfm/data/pair_alignments.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

bool can_be_written(const fs::path& folder) { return ::access(folder.c_str(), W_OK) == 0; }

/// Returns the cache in the folder of a text.
fs::path cache_beside(const fs::path& text) {
  return fs::absolute(text).parent_path() / "tfm-cache";
}

/// Returns the folder for caches of this user's programs, or an empty path.
fs::path user_cache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return cache;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache";
  return {};
}

}  // namespace

std::optional<fs::path> shard_folder(const DataConfig& config, std::uintmax_t limit) {
  if (config.cache == "none") return std::nullopt;
  const auto files =
      config.sets.empty() ? train_files(config).all() : files_of(training_sets(config));
  std::uintmax_t bytes = 0;
  for (const fs::path& file : files) {
    if (!fs::is_regular_file(file)) return std::nullopt;  // may be readable only once
    bytes += fs::file_size(file);
  }
  const bool is_automatic = config.cache == "auto";
  if (files.empty() || (is_automatic && config.sets.empty() && bytes <= limit)) return std::nullopt;
  for (const TrainingSet& set : training_sets(config)) {
    const auto links = links_file(config, set.name);
    if (links && !fs::is_regular_file(*links)) return std::nullopt;
  }
  if (!is_automatic) return config.cache;
  const fs::path beside = cache_beside(files.front());
  if (can_be_written(fs::exists(beside) ? beside : beside.parent_path())) return beside;
  const fs::path user = user_cache();
  return user.empty() ? beside : user / "tfm" / "shards";
}

fs::path read_only_cache(const DataConfig& config) {
  if (config.cache != "auto") return {};
  const fs::path beside = cache_beside(files_of(training_sets(config)).front());
  return fs::exists(beside) && !can_be_written(beside) ? beside : fs::path();
}

}  // namespace tfm
