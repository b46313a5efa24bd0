// Compares several runs on one page: a chart with one curve per run for each curve of their pages,
// and tables with one column per run.
#pragma once

#include <vector>

#include "tfm/pages/run_page.h"

namespace tfm {

/// Returns the page of several runs, whose names must differ. The page shows the settings that
/// differ between the runs. If a run does not change such a setting, its value is the default.
RunPageData compare_runs(const std::vector<RunPageData>& runs);

}  // namespace tfm
