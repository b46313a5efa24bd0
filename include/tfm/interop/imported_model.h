// What every import ends with: a model folder of tfm's own.
#pragma once

#include <filesystem>
#include <string>

namespace tfm {

struct TranslationModel;

/// Throws ModelError if something is in the folder's place already, a model or anything else; an
/// empty folder is free.
void require_free_folder(const std::filesystem::path& folder);

/// Writes a model folder whose report.json says where the model is from: whole, or not at all.
/// Throws ModelError if its place is not free or can't be written to.
void save_imported(const TranslationModel& model, const std::filesystem::path& folder,
                   const std::string& format, const std::filesystem::path& origin);

}  // namespace tfm
