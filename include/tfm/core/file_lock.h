// One process at a time: a lock on a file that the kernel frees when its holder ends, however it
// ends, so that no lock is ever stale. The file stays and names its last holder.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace tfm {

class FileLock {
 public:
  /// Takes the lock at once; creates the file. Throws ModelError naming the process that holds it,
  /// and where the file can't be written.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// The process that holds the lock (0: it can't be told), or nothing where it is free or there is
  /// no file.
  static std::optional<pid_t> holder(const std::filesystem::path& file);
  /// Throws as the constructor would where a process holds it, and touches nothing.
  static void require_free(const std::filesystem::path& file);

 private:
  int descriptor_ = -1;
};

}  // namespace tfm
