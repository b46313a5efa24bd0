#include "tfm/core/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace tfm {
namespace {

rlimit limits() {
  rlimit found{};
  ::getrlimit(RLIMIT_NOFILE, &found);
  return found;
}

/// Sets the limit, or the hard limit if that is lower. If this fails, the next open reports it.
void raise_to(rlim_t limit) {
  rlimit changed = limits();
  changed.rlim_cur = std::min(limit, changed.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &changed);
}

}  // namespace

std::int64_t hard_limit_of_open_files() { return static_cast<std::int64_t>(limits().rlim_max); }

void raise_limit_of_open_files() { raise_to(limits().rlim_max); }

void keep_descriptors_free(int descriptor) {
  const rlim_t limit = limits().rlim_cur;
  if (descriptor < 0 || static_cast<rlim_t>(descriptor) < limit / 2) return;
  raise_to(2 * limit);
}

}  // namespace tfm
