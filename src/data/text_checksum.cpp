#include "tfm/data/text_checksum.h"

#include "tfm/core/checksum.h"

namespace tfm {

std::uint32_t checksum(const ParallelText& text, std::string_view settings) {
  Crc32 sum;
  for (const auto* side : {&text.source, &text.target}) {
    for (const auto& line : *side) {
      sum.add(line);
      // The line feed makes the checksum depend on where lines end.
      sum.add("\n");
    }
  }
  return with_settings(sum.value(), settings);
}

std::uint32_t with_settings(std::uint32_t text_checksum, std::string_view settings) {
  Crc32 sum(text_checksum);
  sum.add(settings);
  return sum.value();
}

std::uint32_t checksum(const Tokenizer& tokenizer) {
  Crc32 sum;
  for (TokenId id = 0; id < tokenizer.size(); ++id) sum.add(tokenizer.piece(id) + "\n");
  return sum.value();
}

}  // namespace tfm
