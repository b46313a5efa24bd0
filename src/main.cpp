#include <exception>
#include <new>

#include "tfm/cli/commands.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

int main(int argc, char** argv) {
  tfm::set_up_log(tfm::Verbosity::normal);
  try {
    return tfm::run_command_line(
        argc, argv,
        {.train = tfm::train_command, .translate = tfm::translate_command, .evaluate = tfm::evaluate_command, .config = tfm::config_command});
  } catch (const tfm::Interrupted& interruption) {
    spdlog::warn("{}", interruption.what());
    return interruption.exit_code();
  } catch (const tfm::Error& error) {
    spdlog::error("{}", error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    spdlog::error("out of memory: use smaller batches (training.batch_size, decoding.batch_size) or a smaller model");
  } catch (const std::exception& error) {
    spdlog::error("unexpected: {}", error.what());
  }
  return 1;
}
