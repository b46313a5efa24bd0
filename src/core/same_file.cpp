#include "tfm/core/same_file.h"

namespace tfm {

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code missing;  // equivalent() returns false if a file is missing
  return std::filesystem::equivalent(a, b, missing) ||
         std::filesystem::weakly_canonical(std::filesystem::absolute(a)) ==
             std::filesystem::weakly_canonical(std::filesystem::absolute(b));
}

}  // namespace tfm
