// Writes gzip files for tests.
#pragma once

#include <zlib.h>

#include <filesystem>
#include <string_view>

#include "temporary_folder.h"

namespace tfm {

inline std::filesystem::path write_gzip(const TemporaryFolder& folder, std::string_view name,
                                        std::string_view content) {
  const gzFile file = gzopen(folder.path(name).c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  return folder.path(name);
}

}  // namespace tfm
