#include "tfm/cli/commands.h"
#include "tfm/config/config_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/training/run.h"

namespace tfm {

int train_command(const TrainOptions& options) {
  catch_interrupts();
  train({.config = load_config(options.config, options.overrides), .name = options.config.stem().string(), .resume = options.resume});
  return 0;
}

}  // namespace tfm
