#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/training/run_page.h"

namespace tfm {

int report_command(const ReportOptions& options) {
  write_run_page(options.run);
  Output output;
  output.line((options.run / page_file).string());
  output.finish();
  return 0;
}

}  // namespace tfm
