// What every import ends with: a model folder of tfm's own.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/translate/model_folder.h"

namespace tfm {

/// Writes a model folder whose report.json says where the model is from. Throws ModelError where the folder already holds a model or can't be
/// written.
void save_imported(const TranslationModel& model, const std::filesystem::path& folder, const std::string& format,
                   const std::filesystem::path& origin);

}  // namespace tfm
