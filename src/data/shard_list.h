// The list of the shards of a text, as a file beside them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/data/text_parts.h"

namespace tfm {

/// The size of a file and the time of its last change, which change when it does.
struct FileState {
  std::string path;  ///< absolute
  std::uintmax_t bytes = 0;
  /// In nanoseconds; 0 if the file changed so recently that it may change without a new time.
  std::int64_t modified = 0;

  bool operator==(const FileState&) const = default;
};

/// Returns the states of files.
std::vector<FileState> file_states(const std::vector<std::filesystem::path>& files);
/// Returns whether every further change of the files changes their states.
bool are_settled(const std::vector<FileState>& states);

struct ListedShard {
  std::string name;
  std::int64_t line_offset = 0;  ///< the number of lines before its part
  std::string text{};            ///< the name of the text's shard; empty if the list has none
};

struct ShardList {
  std::vector<FileState> files;
  std::vector<ListedShard> shards;
  std::int64_t pairs = 0;
  TextSum source{};
  TextSum target{};
  TextSum links{};
  std::vector<Skipped> skipped{};
  std::uint32_t valid_checksum = 0;  ///< of the validation text that `shared` is about
  std::int64_t shared = 0;
};

/// Returns the name of the list of the files and settings.
std::string shard_list_name(const ParallelFiles& files, const std::string& settings);

/// Returns the list; nullopt if there is none, or another version has written it.
std::optional<ShardList> read_shard_list(const std::filesystem::path& file,
                                         const ParallelFiles& files);

/// Writes the list, and removes the shards that only the list named that it replaces. Must be
/// called by the process that holds the lock of the folder.
void replace_shard_list(const std::filesystem::path& file, const ShardList& list,
                        const ParallelFiles& files);

}  // namespace tfm
