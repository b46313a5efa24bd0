// A folder with a model that is complete when it appears: its files are written into a temporary
// folder beside it, which commit() renames. A folder in use is never changed.
#pragma once

#include <filesystem>

#include "tfm/core/atomic_file.h"

namespace tfm {

/// Throws ModelError if the path already exists and is not an empty folder.
void require_free_folder(const std::filesystem::path& folder);

class NewFolder {
 public:
  /// Creates the temporary folder. Throws ModelError if `folder` exists and is not empty
  /// (require_free_folder), or if it can't be created.
  explicit NewFolder(const std::filesystem::path& folder);

  /// The temporary folder, for the files.
  const std::filesystem::path& path() const { return unfinished_.path(); }
  /// Gives the folder its name. Throws ModelError on failure.
  void commit() const;

 private:
  std::filesystem::path folder_;  // absolute
  ScratchFolder unfinished_;
};

}  // namespace tfm
