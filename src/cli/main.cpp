#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>

#include "all_commands.h"
#include "command_line.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/tensor/exceptions.h"

namespace {

int run(int argc, char** argv) {
  try {
    return tfm::run_command_line(argc, argv, tfm::all_commands());
  } catch (...) {
    tfm::rethrow_as_tfm_error();
  }
}

}  // namespace

int main(int argc, char** argv) {
  // With synchronisation, std::cin does not report how much input it has buffered.
  std::ios::sync_with_stdio(false);
  // A write beyond the file size limit (ulimit -f) then fails with an error that names the file.
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
