#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/distributed/process_group.h"
#include "tfm/training/run.h"

namespace tfm {

int train_command(const TrainOptions& options) {
  install_signal_handlers();
  auto environment = rank_environment();
  if (environment.size > 1) set_log_rank(environment.rank);
  const TrainRequest request{.config = load_config(options.config, options.overrides),
                             .name = options.config.stem().string(),
                             .resume = options.resume};
  if (options.dry_run) {
    if (environment.size > 1)
      throw ConfigError("--dry-run", "runs as one process",
                        "Leave out tfm launch, torchrun or srun.");
    const auto report = dry_run(request);
    Output output;
    output.write(report);
    output.finish();
    return 0;
  }
  const ProcessGroup group(std::move(environment));
  train(request, group);
  return 0;
}

}  // namespace tfm
