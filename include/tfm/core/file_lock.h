// A lock file that only one process can lock at a time. The kernel releases the lock when the
// holder ends for any reason, so a lock is never stale. The file remains and contains the process
// ID of its last holder.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace tfm {

class FileLock {
 public:
  /// Takes the lock without waiting and creates the file if necessary. Throws ModelError if another
  /// process holds the lock (the message has the ID of that process, if it is known) or if the file
  /// can't be written.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Returns the process ID of the holder (0 if it is unknown), or nullopt if the lock is free or
  /// the file can't be opened.
  static std::optional<pid_t> holder(const std::filesystem::path& file);
  /// Throws the constructor's ModelError if a process holds the lock. Does not modify the file.
  static void require_free(const std::filesystem::path& file);

 private:
  int descriptor_ = -1;
};

}  // namespace tfm
