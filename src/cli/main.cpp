#include <c10/util/Exception.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>

#include "tfm/cli/commands.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/out_of_memory.h"

namespace {

constexpr const char* out_of_memory =
    "out of memory: use smaller batches (training.batch_size, decoding.batch_size) or a smaller "
    "model";

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);  // or std::cin can't tell whether it has more to give
  // a file that grows over the user's limit (ulimit -f) is an error that names it, not the end
  std::signal(SIGXFSZ, SIG_IGN);
  tfm::set_up_log(tfm::Verbosity::normal);
  try {
    return tfm::run_command_line(argc, argv,
                                 {.train = tfm::train_command,
                                  .launch = tfm::launch_command,
                                  .translate = tfm::translate_command,
                                  .score = tfm::score_command,
                                  .evaluate = tfm::evaluate_command,
                                  .report = tfm::report_command,
                                  .average = tfm::average_command,
                                  .shortlist = tfm::shortlist_command,
                                  .export_model = tfm::export_command,
                                  .import_model = tfm::import_command,
                                  .model_info = tfm::model_info_command,
                                  .config = tfm::config_command});
  } catch (const tfm::Interrupted& interruption) {
    spdlog::warn("{}", interruption.what());
    return interruption.exit_code();
  } catch (const tfm::Error& error) {
    spdlog::error("{}", error.what());
    return error.exit_code();
  } catch (const std::filesystem::filesystem_error& error) {
    spdlog::error("{}: {}", error.path1().string(), error.code().message());
  } catch (const c10::OutOfMemoryError&) {
    spdlog::error(out_of_memory);
  } catch (const c10::Error& error) {
    spdlog::error("unexpected: {}", error.what_without_backtrace());
  } catch (const std::exception& error) {
    tfm::is_out_of_memory(error) ? spdlog::error(out_of_memory)
                                 : spdlog::error("unexpected: {}", error.what());
  }
  return 1;
}
