#include "tfm/interop/imported_model.h"

#include "new_folder.h"
#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

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

void save_imported(const TranslationModel& model, const fs::path& folder, const std::string& format,
                   const fs::path& origin) {
  const NewFolder unfinished(folder);
  save_config_and_tokenizers(unfinished.path(), model.config, model.tokenizers);
  write_safetensors(unfinished.path() / weights_file, state_dict(*model.network));
  write_record(unfinished.path(),
               {.tfm = TFM_VERSION, .import = ImportRecord{origin.string(), format}});
  unfinished.commit();
}

}  // namespace tfm
