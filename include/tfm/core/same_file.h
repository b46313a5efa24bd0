// Whether two paths name one file.
#pragma once

#include <filesystem>

namespace tfm {

/// Returns whether both paths name one file, through whatever links. The files need not exist.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace tfm
