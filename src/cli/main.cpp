#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "average_command.h"
#include "command_line.h"
#include "config_command.h"
#include "evaluate_command.h"
#include "export_command.h"
#include "import_command.h"
#include "launch_command.h"
#include "model_info_command.h"
#include "report_command.h"
#include "score_command.h"
#include "shortlist_command.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/tensor/exceptions.h"
#include "train_command.h"
#include "translate_command.h"

namespace {

/// In the order of `tfm --help`.
std::vector<tfm::Command> all_commands() {
  return {tfm::train_command(),          tfm::launch_command(),       tfm::translate_command(),
          tfm::score_command(),          tfm::evaluate_command(),     tfm::report_command(),
          tfm::average_command(),        tfm::shortlist_command(),    tfm::export_command(),
          tfm::import_command(),         tfm::model_info_command(),   tfm::config_check_command(),
          tfm::config_explain_command(), tfm::config_schema_command()};
}

int run(int argc, char** argv) {
  try {
    return tfm::run_command_line(argc, argv, all_commands());
  } catch (...) {
    tfm::rethrow_as_tfm_error();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);  // or std::cin can't tell whether it has more to give
  // a file that grows over the user's limit (ulimit -f) is an error that names it, not the end
  std::signal(SIGXFSZ, SIG_IGN);
  tfm::set_up_log(tfm::Verbosity::normal);
  try {
    return run(argc, argv);
  } catch (const tfm::Interrupted& interruption) {
    tfm::log_warn("{}", interruption.what());
    return interruption.exit_code();
  } catch (const tfm::Error& error) {
    tfm::log_error("{}", error.what());
    return error.exit_code();
  } catch (const std::filesystem::filesystem_error& error) {
    tfm::log_error("{}: {}", error.path1().string(), error.code().message());
  } catch (const std::exception& error) {
    tfm::is_out_of_memory(error) ? tfm::log_error("{}", tfm::out_of_memory_message)
                                 : tfm::log_error("unexpected: {}", error.what());
  }
  return 1;
}
