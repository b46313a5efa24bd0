// A list of a folder's files with their sizes and CRC-32 checksums. It is written last, so its
// presence shows that the folder is complete. Its checksums detect truncated and corrupt files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

inline constexpr const char* manifest_file = "manifest.json";

/// Writes the manifest of these files in the folder. Throws ModelError.
void write_manifest(const std::filesystem::path& folder, const std::vector<std::string>& files);

/// Reads and checks every listed file. Throws ModelError with the name of the first file that is
/// missing or has a different size or checksum.
void verify_manifest(const std::filesystem::path& folder);

}  // namespace tfm
