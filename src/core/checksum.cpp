#include "tfm/core/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <fstream>
#include <vector>

#include "tfm/core/error.h"

namespace tfm {

FileFingerprint fingerprint(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  FileFingerprint result;
  uLong sum = crc32(0, nullptr, 0);
  for (std::vector<char> chunk(1 << 20); input;) {
    input.read(chunk.data(), std::ssize(chunk));
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(chunk.data()),
                  static_cast<z_size_t>(input.gcount()));
    result.bytes += static_cast<std::uintmax_t>(input.gcount());
  }
  if (!input.eof() || input.bad())
    throw DataError(file.string(), "can't be read", "Check that it exists and may be read.");
  result.crc32 = fmt::format("{:08x}", sum);
  return result;
}

}  // namespace tfm
