// Prepares training data that is too large for memory: encodes it part by part into shards
// (shard.h) in a folder, the cache. A shard's name says what it was made of (text, vocabulary,
// settings), so it is made once, for all runs and ranks, and an interrupted preparation continues
// where it stopped. A list of the shards of a text, with the sizes and times of its files, lets a
// later start skip reading the text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "tfm/data/corpus.h"
#include "tfm/data/text_parts.h"

namespace tfm {

/// What to prepare. The pointers must outlive the preparation.
struct ShardRequest {
  ParallelFiles files;
  const TokenizerPair* tokenizers = nullptr;
  const DataConfig* config = nullptr;
  std::filesystem::path cache;
  /// A cache that is used if it lacks nothing, such as another user's; empty for none.
  std::filesystem::path read_only{};
  std::int64_t threads = 1;
  bool reversed = false;                ///< whether source and target are exchanged
  std::string tag{};                    ///< what source sentences begin with
  const ParallelText* valid = nullptr;  ///< to be searched for in the text; null for none
  PartSizes sizes{};
};

/// What is known of the text besides its examples.
struct TextFacts {
  std::int64_t pairs = 0;  ///< usable pairs, before limits of length
  TextSum source{};        ///< of the usable pairs
  TextSum target{};
  std::int64_t shared = 0;  ///< the number of validation pairs that are also in the text
  std::vector<Skipped> skipped{};

  /// Returns checksum(ParallelText) of the text.
  std::uint32_t checksum() const;
};

struct ShardedText {
  Corpus corpus;
  TextFacts facts;
  std::int64_t made = 0;  ///< the number of shards that were made by this call
};

/// Returns the examples of a text in shards, which are made if they are not in the cache. Shows
/// progress. Waits while another process prepares in the same cache. A damaged shard is reported
/// and made again. Throws DataError as encode_corpus does, ModelError if the cache can't be
/// written, and Interrupted if a signal arrives; what was made is kept.
ShardedText prepare_shards(const ShardRequest& request);

/// Returns a name for what follows from the files of a text, as they are now, and from `settings`;
/// nullopt if a file changed so recently that another change could go unnoticed.
std::optional<std::string> text_key(const ParallelFiles& files, const std::string& settings);

/// Returns the folder for the shards of a text, or nullopt if the text is to be kept in memory.
/// data.cache may be a folder, `none` or `auto`: tfm-cache beside the text, or in the user's cache
/// if that folder can't be written, for a text of more than `limit` bytes. Text that can be read
/// only once and text that every epoch encodes again are kept in memory.
std::optional<std::filesystem::path> shard_folder(const DataConfig& config,
                                                  std::uintmax_t limit = std::uintmax_t{256} << 20);

/// Returns the cache beside the text if it exists but can't be written, and data.cache is `auto`;
/// otherwise an empty path.
std::filesystem::path read_only_cache(const DataConfig& config);

}  // namespace tfm
