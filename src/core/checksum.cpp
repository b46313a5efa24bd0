#include "tfm/core/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <vector>

#include "tfm/core/input_file.h"

namespace tfm {

void Crc32::add(const void* data, std::size_t bytes) {
  if (bytes == 0) return;  // zlib would begin again for a null pointer
  value_ = static_cast<std::uint32_t>(crc32_z(value_, static_cast<const Bytef*>(data), bytes));
}

void Crc32::append(std::uint32_t next, std::int64_t bytes) {
  value_ = static_cast<std::uint32_t>(crc32_combine(value_, next, bytes));
}

std::string Crc32::hex() const { return fmt::format("{:08x}", value_); }

FileFingerprint fingerprint(const std::filesystem::path& file) {
  require_regular_file(file, "Its checksum is taken before it is used, so it is read twice.");
  InputFile input(file);
  FileFingerprint result;
  Crc32 sum;
  std::vector<char> chunk(1 << 20);
  while (const std::size_t count = input.read(chunk.data(), chunk.size())) {
    sum.add(chunk.data(), count);
    result.bytes += count;
  }
  result.crc32 = sum.hex();
  return result;
}

}  // namespace tfm
