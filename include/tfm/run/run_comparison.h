// Compares several runs on one page. Each quantity, such as the training loss, has a chart with one
// curve per run. The tables have one column per run.
#pragma once

#include <vector>

#include "tfm/pages/run_page.h"

namespace tfm {

/// Returns the page of several runs, whose names must differ. The page shows the settings that
/// differ between the runs. For a run that does not set one of them, the page shows the default.
RunPageData compare_runs(const std::vector<RunPageData>& runs);

}  // namespace tfm
