#include "tfm/model/manifest.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* format_name = "tfm manifest";
constexpr const char* remedy = "Use another checkpoint, or restore a copy.";

FileFingerprint read_fingerprint(const fs::path& file) {
  try {
    return fingerprint(file);
  } catch (const DataError&) {
    throw ModelError(file.string(), "can't be read", remedy);
  }
}

void compare(const fs::path& file, const ordered_json& entry) {
  if (!fs::exists(file)) throw ModelError(file.string(), "is missing", remedy);
  const auto found = read_fingerprint(file);
  const auto bytes = entry.at("bytes").get<std::uintmax_t>();
  if (found.bytes != bytes)
    throw ModelError(file.string(), fmt::format("has {} bytes instead of {}", found.bytes, bytes),
                     remedy);
  const auto crc32 = entry.at("crc32").get<std::string>();
  if (found.crc32 != crc32) {
    throw ModelError(file.string(),
                     fmt::format("is corrupt: its CRC-32 is {} instead of {}", found.crc32, crc32),
                     remedy);
  }
}

}  // namespace

void write_manifest(const fs::path& folder, const std::vector<std::string>& files) {
  ordered_json manifest = {
      {"format", format_name}, {"version", 1}, {"files", ordered_json::object()}};
  for (const auto& name : files) {
    const auto [bytes, crc32] = read_fingerprint(folder / name);
    manifest["files"][name] = {{"bytes", bytes}, {"crc32", crc32}};
  }
  write_file(folder / manifest_file, manifest.dump(2) + "\n");
}

void verify_manifest(const fs::path& folder) {
  const auto file = folder / manifest_file;
  if (!fs::exists(file))
    throw ModelError(file.string(), "is missing: the folder is incomplete", remedy);
  try {
    const auto manifest = ordered_json::parse(read_file(file));
    if (manifest.at("files").empty()) throw ModelError(file.string(), "lists no files", remedy);
    for (const auto& [name, entry] : manifest.at("files").items()) compare(folder / name, entry);
  } catch (const nlohmann::json::exception& error) {
    throw ModelError(file.string(), std::string("is corrupt: ") + error.what(), remedy);
  }
}

}  // namespace tfm
