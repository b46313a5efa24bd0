// Generates report.html in a run folder from metrics.jsonl, config.yaml, report.json and
// status.json. The page can be generated at any time, even while the run is in progress.
#pragma once

#include <filesystem>

#include "tfm/pages/run_page.h"

namespace tfm {

inline constexpr const char* page_file = "report.html";

/// Reads the contents of report.html from the run folder's other files. Skips lines of
/// metrics.jsonl that are not JSON objects. Throws ModelError if metrics.jsonl is missing.
RunPageData read_run(const std::filesystem::path& run_folder);

/// Writes report.html. Throws the same errors as read_run, and ModelError if the file can't be
/// written. `warns` says whether to log events of metrics.jsonl that are ignored because a field
/// has the wrong type, as read_run does.
void write_run_page(const std::filesystem::path& run_folder, bool warns = false);

/// Writes report.html at the end of a run. Takes the run's end from report.json, because
/// status.json gets it only when the page is written.
void write_last_run_page(const std::filesystem::path& run_folder);

}  // namespace tfm
