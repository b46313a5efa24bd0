#include "tfm/data/checksum.h"

#include <spdlog/fmt/fmt.h>
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
      // so that moved line ends change it
      sum = crc32_z(sum, reinterpret_cast<const Bytef*>("\n"), 1);
    }
  }
  sum = crc32_z(sum, reinterpret_cast<const Bytef*>(settings.data()), settings.size());
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t checksum(const Tokenizer& tokenizer) {
  uLong sum = crc32(0, nullptr, 0);
  for (TokenId id = 0; id < tokenizer.size(); ++id) {
    const auto piece = tokenizer.piece(id) + "\n";
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  return static_cast<std::uint32_t>(sum);
}

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
