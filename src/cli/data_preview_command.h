// tfm data preview: shows what a run trains on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "report_format.h"
#include "tfm/help/command.h"
#include "tfm/training/data_preview.h"

namespace tfm {

struct DataPreviewOptions {
  std::filesystem::path config;
  PreviewRequest request;
  std::string modifier;  ///< the name of PreviewRequest::only_by; empty for none
  bool tokens = false;
  ReportFormat format = ReportFormat::text;
  std::vector<std::string> overrides;  ///< "section.key=value"
};

int run_data_preview(const DataPreviewOptions& options);

Command data_preview_command(Run<DataPreviewOptions> run = run_data_preview);

}  // namespace tfm
