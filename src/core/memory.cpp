#include "tfm/core/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace tfm {
namespace {

constexpr double kibibyte = 1024;

/// Returns the number that follows `key` in a file of "key number" lines. If `key` is empty,
/// returns the first word of the file as a number. Returns nullopt if there is no such number.
std::optional<double> number_in(const char* path, const std::string& key = "") {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (!key.empty() && word != key) continue;
    double number = 0;
    if (!key.empty()) return file >> number ? std::optional(number) : std::nullopt;
    // "max" stands for no limit
    if (word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return std::stod(word);
  }
  return std::nullopt;
}

/// Returns the smaller value. Returns 0 if neither is known.
double smaller(std::optional<double> machine, std::optional<double> container) {
  if (!machine && !container) return 0;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return std::min(machine.value_or(unlimited), container.value_or(unlimited));
}

/// Returns the memory that /proc/meminfo reports under this key, in bytes.
std::optional<double> memory_of_machine(const std::string& key) {
  const auto found = number_in("/proc/meminfo", key);
  return found ? std::optional(*found * kibibyte) : std::nullopt;
}

constexpr const char* container_limit = "/sys/fs/cgroup/memory.max";  // control groups, version 2

/// Returns the bytes left below the memory limit of the container (control groups, version 2). The
/// page cache counts as free, because the system can drop it.
std::optional<double> left_in_container() {
  const auto limit = number_in(container_limit);
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return std::nullopt;
  const double cached = number_in("/sys/fs/cgroup/memory.stat", "file").value_or(0);
  return std::max(0.0, *limit - *used + cached);
}

}  // namespace

double available_memory() {
  return smaller(memory_of_machine("MemAvailable:"), left_in_container());
}

double total_memory() {
  return smaller(memory_of_machine("MemTotal:"), number_in(container_limit));
}

double peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  return static_cast<double>(usage.ru_maxrss);
#else
  return kibibyte * static_cast<double>(usage.ru_maxrss);
#endif
}

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace tfm
