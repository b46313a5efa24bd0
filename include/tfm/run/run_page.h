// report.html of a run folder, generated from metrics.jsonl, config.yaml, report.json and
// status.json. It can be generated at any time, for any run.
#pragma once

#include <filesystem>

#include "tfm/pages/run_page.h"

namespace tfm {

inline constexpr const char* metrics_file = "metrics.jsonl";
inline constexpr const char* page_file = "report.html";

/// Reads the contents of the page from the run folder's files. Skips lines of metrics.jsonl that
/// are not JSON objects. Throws ModelError if metrics.jsonl is missing.
RunPageData read_run(const std::filesystem::path& run_folder);

/// Writes report.html.
void write_run_page(const std::filesystem::path& run_folder);

}  // namespace tfm
