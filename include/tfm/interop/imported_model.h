// Saves an imported model as a model folder of tfm.
#pragma once

#include <filesystem>
#include <string>

namespace tfm {

struct TranslationModel;

/// Writes a model folder atomically; its report.json records `format` and `origin`. Throws
/// ModelError if the path is already in use or cannot be written.
void save_imported(const TranslationModel& model, const std::filesystem::path& folder,
                   const std::string& format, const std::filesystem::path& origin);

}  // namespace tfm
