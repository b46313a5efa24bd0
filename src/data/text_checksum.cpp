#include "tfm/data/text_checksum.h"

#include <zlib.h>

namespace tfm {

std::uint32_t checksum(const ParallelText& text, std::string_view settings) {
  uLong sum = crc32(0, nullptr, 0);
  for (const auto* side : {&text.source, &text.target}) {
    for (const auto& line : *side) {
      sum = crc32_z(sum, reinterpret_cast<const Bytef*>(line.data()), line.size());
      // The line feed makes the checksum depend on where lines end.
      sum = crc32_z(sum, reinterpret_cast<const Bytef*>("\n"), 1);
    }
  }
  return with_settings(static_cast<std::uint32_t>(sum), settings);
}

std::uint32_t with_settings(std::uint32_t text_checksum, std::string_view settings) {
  return static_cast<std::uint32_t>(
      crc32_z(text_checksum, reinterpret_cast<const Bytef*>(settings.data()), settings.size()));
}

std::uint32_t checksum(const Tokenizer& tokenizer) {
  uLong sum = crc32(0, nullptr, 0);
  for (TokenId id = 0; id < tokenizer.size(); ++id) {
    const auto piece = tokenizer.piece(id) + "\n";
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace tfm
