// A file of the cache: an index (packed_examples.h) and what it is the index of, in the safetensors
// format, with a checksum. The index is mapped into memory. The content is read on demand, so that
// it does not count as memory of the process, and an error of the disk is reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tfm/core/mapped_file.h"
#include "tfm/data/packed_examples.h"

namespace tfm {

struct SafetensorsHeader;

/// What the files of one kind have in common.
struct ShardFormat {
  const char* metadata;     ///< the name of the metadata
  const char* content;      ///< the name of the array of the content
  std::vector<int> widths;  ///< the numbers of bytes that one of its integers may have
  int version = 1;          ///< a file of another version is not used, and made again
};

class ShardFile {
 public:
  /// Opens the file. Throws DataError, naming the file, if it is not a complete file of the format.
  ShardFile(std::filesystem::path file, const ShardFormat& format);
  ~ShardFile();
  ShardFile(const ShardFile&) = delete;
  ShardFile& operator=(const ShardFile&) = delete;

  const ExampleIndex& index() const { return index_; }
  const nlohmann::json& metadata() const { return metadata_; }
  /// Returns the number of bytes of an integer of the content.
  int width() const { return content_.width; }
  /// Reads `count` integers of the content, from integer `begin` on. Throws DataError if the file
  /// can't be read.
  std::vector<std::byte> read(std::uint64_t begin, std::size_t count) const;
  /// Reads the complete file. Throws DataError if it differs from what was written.
  void verify() const;

 private:
  /// The place of an array in the file.
  struct FoundArray {
    int width = 0;
    std::size_t count = 0;
    std::size_t begin = 0;  // in bytes from the start of the file
  };

  void parse(const ShardFormat& format);
  FoundArray find(const SafetensorsHeader& header, const char* name,
                  const std::vector<int>& widths) const;
  const void* at(const FoundArray& array) const;

  std::filesystem::path file_;
  MappedFile mapped_;
  std::size_t data_begin_ = 0;
  nlohmann::json metadata_;
  ExampleIndex index_;
  FoundArray content_;
  int descriptor_ = -1;
};

/// Integers of one width, somewhere in memory.
struct ShardContent {
  const void* data = nullptr;
  std::size_t count = 0;
  int width = 1;
};

/// Writes a file. `metadata` is completed by version and checksum. Throws ModelError if the file
/// can't be written.
void write_shard_file(const std::filesystem::path& file, const ShardFormat& format,
                      const ExampleIndex& index, const ShardContent& content,
                      nlohmann::json metadata);

}  // namespace tfm
