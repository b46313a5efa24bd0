#include "tfm/cli/commands.h"
#include "tfm/config/config_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/distributed/process_group.h"
#include "tfm/training/run.h"

namespace tfm {

int train_command(const TrainOptions& options) {
  catch_interrupts();
  auto environment = rank_environment();
  if (environment.size > 1) mark_log(environment.rank);
  const RunRequest request{
      .config = load_config(options.config, options.overrides), .name = options.config.stem().string(), .resume = options.resume};
  const World world(std::move(environment));
  train(request, world);
  return 0;
}

}  // namespace tfm
