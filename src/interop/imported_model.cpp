#include "tfm/interop/imported_model.h"

#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"
#include "tfm/model/new_folder.h"

namespace tfm {

namespace fs = std::filesystem;

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
