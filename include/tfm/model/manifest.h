// A list of the files of a folder with their sizes and CRC-32 checksums. The manifest is written
// last, so its presence shows that the folder is complete. The checksums detect truncated and
// corrupt files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

inline constexpr const char* manifest_file = "manifest.json";

/// Writes a manifest of the given files in the folder. Throws ModelError if a file cannot be read
/// or the manifest cannot be written.
void write_manifest(const std::filesystem::path& folder, const std::vector<std::string>& files);

/// Checks every file that the manifest lists. Throws ModelError with the name of the first file
/// that is missing or unreadable, or has another size or checksum. If the manifest itself is
/// missing, is corrupt or lists no files, the error has the name of the manifest.
void verify_manifest(const std::filesystem::path& folder);

}  // namespace tfm
