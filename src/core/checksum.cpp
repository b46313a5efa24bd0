#include "tfm/core/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <vector>

#include "tfm/core/input_file.h"

namespace tfm {

FileFingerprint fingerprint(const std::filesystem::path& file) {
  require_regular_file(file, "Its checksum is taken before it is used, so it is read twice.");
  InputFile input(file);
  FileFingerprint result;
  uLong sum = crc32(0, nullptr, 0);
  std::vector<char> chunk(1 << 20);
  while (const std::size_t count = input.read(chunk.data(), chunk.size())) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(chunk.data()), count);
    result.bytes += count;
  }
  result.crc32 = fmt::format("{:08x}", sum);
  return result;
}

}  // namespace tfm
