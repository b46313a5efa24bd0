#include "tfm/core/same_file.h"

namespace tfm {

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  // equivalent() returns false if a file is missing. The link of a pipe (/dev/fd/63) leads to no
  // path, so its canonical path is an error, and empty.
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(a), error);
  return !path.empty() &&
         path == std::filesystem::weakly_canonical(std::filesystem::absolute(b), error);
}

}  // namespace tfm
