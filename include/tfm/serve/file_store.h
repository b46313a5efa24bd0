// Files that clients have yet to download, in memory. Their number, their size together and their
// age are bounded: the oldest files are forgotten first. Their names cannot be guessed.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

struct StoredFile {
  std::string bytes;
  std::string media_type;
  std::string download_name;  ///< what a browser calls the file
};

struct FileStoreLimits {
  std::size_t files = 100;
  std::size_t bytes = std::size_t{64} << 20;  ///< of all files together
  double seconds = 1800;                      ///< for which a file is kept
};

/// Several threads may use a store at once. Times are in seconds of one clock.
class FileStore {
 public:
  explicit FileStore(const FileStoreLimits& limits) : limits_(limits) {}

  /// Keeps the file. Returns its name: 32 random hexadecimal digits and `ending`, or nullopt if the
  /// file alone is larger than all files may be.
  std::optional<std::string> add(StoredFile file, std::string_view ending, double now);
  /// Returns the file of a name, or nullptr if it is not or no longer there.
  std::shared_ptr<const StoredFile> find(std::string_view name, double now);
  std::size_t size() const;

 private:
  struct Entry {
    std::string name;
    double time;
    std::shared_ptr<const StoredFile> file;
  };

  void forget_old(double now);

  FileStoreLimits limits_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace tfm
