#include "tfm/model/new_folder.h"

#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"

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

void require_free_folder(const fs::path& folder) {
  std::error_code none;  // ignored, because writing to an unreadable path throws later
  if (!fs::exists(folder, none) || (fs::is_directory(folder, none) && fs::is_empty(folder, none)))
    return;
  const bool model =
      fs::exists(folder / weights_file, none) || fs::exists(folder / config_file, none);
  throw ModelError(folder.string(),
                   model ? "holds a model already" : "already exists and is not an empty folder",
                   "Name another folder, or remove it.");
}

NewFolder::NewFolder(const fs::path& folder) : folder_(free_path(folder)), unfinished_(folder_) {}

void NewFolder::commit() const { move_into_place(unfinished_.path(), folder_); }

}  // namespace tfm
