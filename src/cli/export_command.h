// `tfm export`: writes a model in the format of another toolkit.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"

namespace tfm {

enum class ExportFormat { ctranslate2, argos, huggingface, marian };

struct ExportOptions {
  ExportFormat format = ExportFormat::ctranslate2;
  std::filesystem::path model;   ///< if empty, the default model is exported
  std::filesystem::path output;  ///< a folder; for argos, a file
};

int run_export(const ExportOptions& options);
Command export_command(Run<ExportOptions> run = run_export);

}  // namespace tfm
