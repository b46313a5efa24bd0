// What the system gives this process of its CPUs: how many of them the process may use, and how
// long its threads wait for one.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

namespace tfm {

/// Returns the number of CPUs that this process may use at a time: at least 1 and at most the
/// number of its affinity mask. A limit of its control group (a container with 1.5 CPUs, for
/// example) is rounded to the nearest whole number.
int available_cpus();

/// Returns the smallest CPU limit of a process's control group and of the groups around it, or
/// nullopt if there is no limit. `root` is where the system mounts control groups, such as
/// /sys/fs/cgroup (version 2, or one folder per controller in version 1). `membership` is the text
/// of the file /proc/PID/cgroup of the process.
std::optional<double> control_group_cpus(const std::filesystem::path& root,
                                         std::string_view membership);

/// Time of all threads of a process that exist.
struct CpuTime {
  std::chrono::nanoseconds running{};  // on a CPU
  std::chrono::nanoseconds waiting{};  // ready to run, but without a CPU
};

/// Returns the times since the threads of this process started, or nullopt if the system does not
/// report them.
std::optional<CpuTime> process_cpu_time();

}  // namespace tfm
