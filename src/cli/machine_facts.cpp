#include "machine_facts.h"

#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>

#include "tfm/core/cpu.h"
#include "tfm/core/error.h"
#include "tfm/core/memory.h"
#include "tfm/core/open_files.h"
#include "tfm/distributed/support.h"
#include "tfm/model/model_files.h"
#include "tfm/tensor/runtime.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns what follows "KEY :" in the file, or an empty text.
std::string value_in(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::vector<std::string> set_variables(std::initializer_list<const char*> names) {
  std::vector<std::string> found;
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') found.push_back(fmt::format("{}={}", name, value));
  }
  return found;
}

std::optional<double> load_of_last_minute() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? std::optional(load) : std::nullopt;
}

/// Returns the system's message if a file can't be created in the folder, or an empty text.
std::string write_problem(const fs::path& folder) {
  std::string name = (folder / ".tfm-doctor-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return std::generic_category().message(errno);
  ::close(descriptor);
  ::unlink(name.c_str());
  return "";
}

bool is_in_memory(const fs::path& folder) {
  constexpr long tmpfs = 0x01021994;  // statfs(2)
  struct statfs system{};
  return ::statfs(folder.c_str(), &system) == 0 && static_cast<long>(system.f_type) == tmpfs;
}

DefaultModel find_default_model() {
  try {
    const auto folder = default_model();
    try {
      require_model_folder(folder);
      return {folder.string(), ""};
    } catch (const Error& error) {  // of $TFM_MODEL
      return {folder.string(), std::string(error.problem())};
    }
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

FolderFacts find_folder_facts(const std::string& use, const fs::path& folder) {
  FolderFacts facts;
  facts.use = use;
  facts.path = folder;
  std::error_code failed;
  auto existing = fs::absolute(folder, failed);
  if (failed || existing.empty()) {  // the working directory or $TMPDIR does not exist
    facts.problem = failed ? failed.message() : "there is no such folder";
    return facts;
  }
  while (!fs::exists(existing, failed) && existing != existing.root_path())
    existing = existing.parent_path();
  facts.problem = write_problem(existing);
  facts.writable = facts.problem.empty();
  const auto space = fs::space(existing, failed);
  if (!failed) facts.free_bytes = static_cast<double>(space.available);
  facts.in_memory = is_in_memory(existing);
  return facts;
}

MachineFacts find_machine_facts() {
  std::error_code none;
  return {.processor = value_in("/proc/cpuinfo", "model name"),
          .instructions = instruction_sets(),
          .kernels = describe_kernels(),
          .limiting_variables = set_variables({"TFM_CPU_FEATURES", "ATEN_CPU_CAPABILITY"}),
          .libtorch = libtorch_version(),
          .cpus = static_cast<int>(std::thread::hardware_concurrency()),
          .usable_cpus = available_cpus(),
          .load = load_of_last_minute(),
          .total_memory = total_memory(),
          .available_memory = available_memory(),
          .open_files = hard_limit_of_open_files(),
          .cuda = find_cuda_state(),
          .has_nvidia_gpu = fs::exists("/proc/driver/nvidia/gpus", none),
          .distributed = describe_distributed(),
          .folders = {find_folder_facts("runs", "runs"),
                      find_folder_facts("temporary files", fs::temp_directory_path(none))},
          .default_model = find_default_model()};
}

}  // namespace tfm
