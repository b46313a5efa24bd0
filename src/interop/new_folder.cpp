#include "new_folder.h"

#include "tfm/core/error.h"
#include "tfm/interop/imported_model.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns the absolute path of the folder without a separator at its end. Throws ModelError if the
/// folder is in use or its path cannot be resolved.
fs::path free_path(const fs::path& folder) {
  require_free_folder(folder);
  std::error_code error;
  auto path = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (error)
    throw ModelError(folder.string(), "can't be written: " + error.message(),
                     "Name another folder.");
  return path.has_filename() ? path : path.parent_path();  // "models/opus/" has no file name
}

/// Renames the complete folder to `folder`, which must not exist or must be empty. Throws
/// ModelError if this fails, for example because files have been added to `folder` meanwhile.
void move_into_place(const fs::path& complete, const fs::path& folder) {
  std::error_code error;
  fs::rename(complete, folder, error);
  if (error)
    throw ModelError(folder.string(), "can't be moved into place: " + error.message(),
                     "Name another folder.");
  sync_folder(folder.parent_path());
}

}  // namespace

NewFolder::NewFolder(const fs::path& folder) : folder_(free_path(folder)), unfinished_(folder_) {}

void NewFolder::commit() const { move_into_place(unfinished_.path(), folder_); }

}  // namespace tfm
