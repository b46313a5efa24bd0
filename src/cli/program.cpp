#include "program.h"

#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>

#include "all_commands.h"
#include "command_line.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/tensor/capabilities.h"
#include "tfm/tensor/exceptions.h"

namespace tfm {
namespace {

int run(int argc, char** argv) {
  try {
    require_known_instruction_set();
    return run_command_line(argc, argv, all_commands());
  } catch (...) {
    rethrow_as_tfm_error();
  }
}

}  // namespace

int run_program(int argc, char** argv) noexcept {
  // While std::cout is synchronised with C's stdout, it has no buffer.
  std::ios::sync_with_stdio(false);
  // If SIGXFSZ is ignored, a write beyond the file size limit (ulimit -f) fails with an error that
  // names the file. Otherwise the signal would end the program without a message.
  std::signal(SIGXFSZ, SIG_IGN);
  set_up_log(Verbosity::normal);
  try {
    return run(argc, argv);
  } catch (const Interrupted& interruption) {
    log_warn("{}", interruption.what());
    return interruption.exit_code();
  } catch (const Error& error) {
    log_error("{}", error.what());
    return error.exit_code();
  } catch (const std::filesystem::filesystem_error& error) {
    log_error("{}: {}", error.path1().string(), error.code().message());
  } catch (const std::exception& error) {
    is_out_of_memory(error) ? log_error("{}", out_of_memory_message)
                            : log_error("unexpected: {}", error.what());
  }
  return 1;
}

}  // namespace tfm
