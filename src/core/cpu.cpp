#include "tfm/core/cpu.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns the limit of one control group, of version 2 or 1. The word "max" and a negative quota
/// stand for no limit.
std::optional<double> limit_in(const fs::path& folder) {
  double quota = 0;   // time within each period
  double period = 0;  // both in microseconds
  const bool known = (std::ifstream(folder / "cpu.max") >> quota >> period) ||
                     ((std::ifstream(folder / "cpu.cfs_quota_us") >> quota) &&
                      (std::ifstream(folder / "cpu.cfs_period_us") >> period));
  return known && quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

/// The folder in which the controller `cpu` is mounted, and the path of the process's group in it.
struct Group {
  fs::path mount;
  fs::path path;
};

/// Returns the group of a line "ID:CONTROLLERS:PATH" of /proc/PID/cgroup, or nullopt if the line is
/// about other controllers. Version 2 has one line, whose CONTROLLERS is empty.
std::optional<Group> group_of_line(const fs::path& root, const std::string& line) {
  const auto first = line.find(':');
  const auto second = line.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  const auto path = fs::path(line.substr(second + 1)).relative_path();
  std::istringstream controllers(line.substr(first + 1, second - first - 1));
  if (second == first + 1) return Group{.mount = root, .path = path};
  for (std::string controller; std::getline(controllers, controller, ',');)
    if (controller == "cpu") return Group{.mount = root / "cpu", .path = path};
  return std::nullopt;
}

}  // namespace

std::optional<double> control_group_cpus(const fs::path& root, std::string_view membership) {
  std::optional<double> smallest;
  std::istringstream lines{std::string(membership)};
  for (std::string line; std::getline(lines, line);) {
    const auto group = group_of_line(root, line);
    if (!group) continue;
    // A container sees its own group as the root, although its path may be that of the host. The
    // folders of such a path do not exist and have no limit.
    for (auto path = group->path;; path = path.parent_path()) {
      if (const auto limit = limit_in(group->mount / path))
        smallest = std::min(*limit, smallest.value_or(*limit));
      if (path.empty()) break;
    }
  }
  return smallest;
}

int available_cpus() {
  const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::stringstream membership;
  membership << std::ifstream("/proc/self/cgroup").rdbuf();
  const auto limit = control_group_cpus("/sys/fs/cgroup", membership.str());
  if (!limit || *limit >= all) return all;
  return std::max(1, static_cast<int>(std::lround(*limit)));
}

std::optional<CpuTime> process_cpu_time() {
  std::error_code failed;
  CpuTime sum;
  bool known = false;
  for (const auto& task : fs::directory_iterator("/proc/self/task", failed)) {
    std::ifstream file(task.path() / "schedstat");
    long long running = 0;
    long long waiting = 0;
    if (!(file >> running >> waiting)) continue;  // the thread has ended
    known = true;
    sum.running += std::chrono::nanoseconds(running);
    sum.waiting += std::chrono::nanoseconds(waiting);
  }
  return known ? std::optional(sum) : std::nullopt;
}

}  // namespace tfm
