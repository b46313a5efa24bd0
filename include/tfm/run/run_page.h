// report.html of a run folder: made anew from metrics.jsonl, config.yaml and report.json, so that
// it can be made at any time, of any run.
#pragma once

#include <filesystem>

#include "tfm/pages/run_page.h"

namespace tfm {

inline constexpr const char* metrics_file = "metrics.jsonl";
inline constexpr const char* page_file = "report.html";

/// What the folder's files say of its run; lines of metrics.jsonl that are no JSON objects are
/// passed over. Throws ModelError where there is no metrics.jsonl.
RunPageData read_run(const std::filesystem::path& run_folder);

/// Writes report.html.
void write_run_page(const std::filesystem::path& run_folder);

}  // namespace tfm
