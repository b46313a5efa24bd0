#include "tfm/model/model_files.h"

#include <cstdlib>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {

namespace fs = std::filesystem;

fs::path absolute_name(const fs::path& folder) {
  const auto name = fs::absolute(folder).lexically_normal();
  return name.has_filename() ? name : name.parent_path();
}

fs::path description_folder(const fs::path& folder) {
  if (fs::exists(folder / config_file) || !fs::exists(folder / weights_file)) return folder;
  const auto run = absolute_name(folder).parent_path().parent_path();
  return fs::exists(run / config_file) ? run : folder;
}

void save_config_and_tokenizers(const fs::path& folder, const Config& config,
                                const TokenizerPair& tokenizers) {
  make_folder(folder);
  write_file(folder / config_file, write_config(config));
  save_tokenizers(tokenizers, folder);
}

fs::path default_model(const fs::path& runs) {
  if (const char* named = std::getenv("TFM_MODEL"); named != nullptr && *named != '\0')
    return named;
  fs::path newest;
  fs::file_time_type newest_time;
  std::error_code ignored;  // a missing folder counts as one without runs
  for (const auto& entry : fs::directory_iterator(runs, ignored)) {
    const auto weights = entry.path() / weights_file;
    if (!fs::exists(weights)) continue;
    const auto time = fs::last_write_time(weights);
    if (newest.empty() || time > newest_time) {
      newest = entry.path();
      newest_time = time;
    }
  }
  if (newest.empty())
    throw ModelError(
        "", "no model: $TFM_MODEL is not set and " + runs.string() + " contains no trained run",
        "Train one (tfm train --config configs/toy.yaml), or name one with --model FOLDER.");
  return newest;
}

}  // namespace tfm
