#include "tfm/training/manifest.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tfm/core/error.h"
#include "tfm/core/files.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* format_name = "tfm manifest";

struct Fingerprint {
  std::uintmax_t bytes = 0;
  std::string crc32;  // eight hexadecimal digits
};

Fingerprint fingerprint(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  Fingerprint result;
  uLong sum = crc32(0, nullptr, 0);
  for (std::vector<char> chunk(1 << 20); input;) {
    input.read(chunk.data(), std::ssize(chunk));
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<z_size_t>(input.gcount()));
    result.bytes += static_cast<std::uintmax_t>(input.gcount());
  }
  if (!input.eof() || input.bad()) throw ModelError(file.string(), "can't be read", "Use another checkpoint.");
  result.crc32 = fmt::format("{:08x}", sum);
  return result;
}

void compare(const fs::path& file, const ordered_json& entry) {
  if (!fs::exists(file)) throw ModelError(file.string(), "is missing", "Use another checkpoint.");
  const auto found = fingerprint(file);
  const auto bytes = entry.at("bytes").get<std::uintmax_t>();
  if (found.bytes != bytes) throw ModelError(file.string(), fmt::format("has {} bytes instead of {}", found.bytes, bytes), "Use another checkpoint.");
  const auto crc32 = entry.at("crc32").get<std::string>();
  if (found.crc32 != crc32) {
    throw ModelError(file.string(), fmt::format("is damaged: its CRC-32 is {} instead of {}", found.crc32, crc32), "Use another checkpoint.");
  }
}

}  // namespace

void write_manifest(const fs::path& folder, const std::vector<std::string>& files) {
  ordered_json manifest = {{"format", format_name}, {"version", 1}, {"files", ordered_json::object()}};
  for (const auto& name : files) {
    const auto [bytes, crc32] = fingerprint(folder / name);
    manifest["files"][name] = {{"bytes", bytes}, {"crc32", crc32}};
  }
  write_file(folder / manifest_file, manifest.dump(2) + "\n");
}

void verify_manifest(const fs::path& folder) {
  const auto file = folder / manifest_file;
  if (!fs::exists(file)) throw ModelError(file.string(), "is missing: the folder is incomplete", "Use another checkpoint.");
  try {
    const auto manifest = ordered_json::parse(read_file(file));
    if (manifest.at("files").empty()) throw ModelError(file.string(), "lists no file", "Use another checkpoint.");
    for (const auto& [name, entry] : manifest.at("files").items()) compare(folder / name, entry);
  } catch (const nlohmann::json::exception& error) {
    throw ModelError(file.string(), std::string("is damaged: ") + error.what(), "Use another checkpoint.");
  }
}

}  // namespace tfm
