// The list of a folder's files with the size and CRC-32 of each, written when all others are on
// disk: it tells a whole folder from one that is cut short, damaged or incomplete.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tfm {

inline constexpr const char* manifest_file = "manifest.json";

/// Lists these files of the folder. Throws ModelError.
void write_manifest(const std::filesystem::path& folder, const std::vector<std::string>& files);

/// Reads every listed file. Throws ModelError naming the first that is missing, of another size or
/// of another checksum.
void verify_manifest(const std::filesystem::path& folder);

}  // namespace tfm
