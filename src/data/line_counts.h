// Files that say something about each line of a text, such as weights, must have as many lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tfm {

/// A file with one line for each line of a text.
struct CompanionFile {
  const std::filesystem::path& file;
  std::int64_t lines = 0;
  std::string_view content;  ///< what its lines are: "weights"
};

/// Throws DataError unless the file has a line for each line of a text whose last usable line is
/// `last`, and of which `skipped` lines are not usable.
void require_lines(const CompanionFile& companion, std::int64_t last, std::int64_t skipped);

}  // namespace tfm
