#include "tfm/data/checksum.h"

#include <zlib.h>

#include <fstream>
#include <vector>

#include "tfm/core/error.h"

namespace tfm {

std::uint32_t checksum(const ParallelText& text, std::string_view settings) {
  uLong sum = crc32(0, nullptr, 0);
  for (const auto* side : {&text.source, &text.target}) {
    for (const auto& line : *side) {
      sum = crc32_z(sum, reinterpret_cast<const Bytef*>(line.data()), line.size());
      sum = crc32_z(sum, reinterpret_cast<const Bytef*>("\n"), 1);  // so that moved line ends change it
    }
  }
  sum = crc32_z(sum, reinterpret_cast<const Bytef*>(settings.data()), settings.size());
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t checksum_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw DataError(file.string(), "can't be read", "Check that it exists and may be read.");
  std::vector<char> block(1 << 20);
  uLong sum = crc32(0, nullptr, 0);
  while (stream.read(block.data(), std::ssize(block)) || stream.gcount() > 0) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(block.data()), static_cast<z_size_t>(stream.gcount()));
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace tfm
