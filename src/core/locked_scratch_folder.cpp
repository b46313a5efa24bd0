#include "tfm/core/locked_scratch_folder.h"

#include <vector>

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";

/// Returns whether a process created the folder for `name` and has ended. A folder without a lock
/// file does not count: its process may be about to create the file.
bool is_stale(const fs::directory_entry& entry, const fs::path& name) {
  std::error_code none;  // ignored: another process may have removed the folder
  return is_temporary_name(entry.path(), name) && !entry.is_symlink(none) &&
         entry.is_directory(none) && fs::is_regular_file(entry.path() / lock_name, none) &&
         !FileLock::holder(entry.path() / lock_name);
}

/// Removes the folders of killed processes and returns `name`.
const fs::path& without_stale_folders(const fs::path& name) {
  std::vector<fs::path> stale;
  std::error_code none;  // ignored: a folder that can't be listed is reported when it is written to
  const auto parent = name.has_parent_path() ? name.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(parent, none)) {
    if (is_stale(entry, name)) stale.push_back(entry.path());
  }
  for (const auto& folder : stale) remove_tree(folder);
  return name;
}

}  // namespace

LockedScratchFolder::LockedScratchFolder(const fs::path& name)
    : folder_(without_stale_folders(name)), lock_(folder_.path() / lock_name) {}

}  // namespace tfm
