#include "tfm/interop/imported_model.h"

#include <unistd.h>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// A temporary folder next to the final one; removed unless it was moved into place.
class UnfinishedFolder {
 public:
  explicit UnfinishedFolder(const fs::path& folder) {
    std::error_code error;
    folder_ = fs::weakly_canonical(fs::absolute(folder, error), error);
    if (error)
      throw ModelError(folder.string(), "can't be written: " + error.message(),
                       "Name another folder.");
    if (!folder_.has_filename()) folder_ = folder_.parent_path();  // "models/opus/"
    path_ = folder_;
    path_ += ".tmp-" + std::to_string(::getpid());
    remove_tree(path_);  // left by an earlier process with the same id
  }
  ~UnfinishedFolder() {
    std::error_code ignored;  // already moved into place, or another error is being reported
    fs::remove_all(path_, ignored);
  }
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  const fs::path& path() const { return path_; }
  /// Replaces an empty folder; fails if it has been filled meanwhile.
  void move_into_place() const {
    std::error_code error;
    fs::rename(path_, folder_, error);
    if (error)
      throw ModelError(folder_.string(), "can't be moved into place: " + error.message(),
                       "Name another folder.");
    sync_folder(folder_.parent_path());
  }

 private:
  fs::path folder_;
  fs::path path_;
};

}  // namespace

void require_free_folder(const fs::path& folder) {
  std::error_code none;  // an unreadable path fails later, with the reason, when it is written to
  if (!fs::exists(folder, none) || (fs::is_directory(folder, none) && fs::is_empty(folder, none)))
    return;
  const bool model =
      fs::exists(folder / weights_file, none) || fs::exists(folder / config_file, none);
  throw ModelError(folder.string(),
                   model ? "holds a model already" : "already exists and is not an empty folder",
                   "Name another folder, or remove it.");
}

void save_imported(const TranslationModel& model, const fs::path& folder, const std::string& format,
                   const fs::path& origin) {
  require_free_folder(folder);
  const UnfinishedFolder unfinished(folder);
  save_config_and_tokenizers(unfinished.path(), model.config, model.tokenizers);
  write_safetensors(unfinished.path() / weights_file, state_dict(*model.network));
  write_record(unfinished.path(),
               {.tfm = TFM_VERSION, .import = ImportRecord{origin.string(), format}});
  unfinished.move_into_place();
}

}  // namespace tfm
