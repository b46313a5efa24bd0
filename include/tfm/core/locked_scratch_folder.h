// A temporary folder whose process is known, for work outside a locked run folder. A process that
// is killed leaves its folder behind; the next process with the same purpose removes it.
#pragma once

#include <filesystem>

#include "tfm/core/atomic_file.h"
#include "tfm/core/file_lock.h"

namespace tfm {

class LockedScratchFolder {
 public:
  /// Creates the folder temporary_name(name) and locks the file "lock" in it. First removes the
  /// folders of killed processes: those that temporary_name(name) can have named and whose lock is
  /// free. Throws ModelError on failure.
  explicit LockedScratchFolder(const std::filesystem::path& name);

  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  FileLock lock_;
};

}  // namespace tfm
