#include "tfm/core/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace tfm {

void keep_descriptors_free(int descriptor) {
  rlimit limit{};
  if (descriptor < 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  if (static_cast<rlim_t>(descriptor) < limit.rlim_cur / 2) return;
  limit.rlim_cur = std::min(2 * limit.rlim_cur, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);  // if it fails, the next open reports the limit
}

}  // namespace tfm
