#include "tfm/text/utf8.h"

#include <algorithm>
#include <array>

namespace tfm {
namespace {

struct Decoded {
  char32_t code_point = 0;
  std::size_t length = 0;  // 0 if malformed
};

/// Returns the length of the sequence that a lead byte starts, or 0 for any other byte.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if ((lead & 0xE0) == 0xC0) return 2;
  if ((lead & 0xF0) == 0xE0) return 3;
  if ((lead & 0xF8) == 0xF0) return 4;
  return 0;
}

Decoded decode(std::string_view text) {
  constexpr std::array<unsigned char, 5> lead_mask{0, 0x7F, 0x1F, 0x0F, 0x07};
  // The smallest code point of each length; encodings of lower code points are overlong.
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return {};
  char32_t code_point = lead & lead_mask[length];
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return {};
    code_point = (code_point << 6) | (byte & 0x3F);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest[length] || surrogate || code_point > 0x10FFFF) return {};
  return {code_point, length};
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t length = decode(text.substr(position)).length;
    if (length == 0) return position;
    position += length;
  }
  return std::nullopt;
}

char32_t next_encoded_code_point(std::string_view text, std::size_t& position) {
  const Decoded decoded = decode(text.substr(position));
  if (decoded.length == 0) {
    ++position;  // always advances, so that loops over malformed text end
    return U'\uFFFD';
  }
  position += decoded.length;
  return decoded.code_point;
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string encode_utf8(char32_t code_point) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto continuation = [&](int shift) { return byte(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) return {byte(code_point)};
  if (code_point < 0x800) return {byte(0xC0 | (code_point >> 6)), continuation(0)};
  if (code_point < 0x10000)
    return {byte(0xE0 | (code_point >> 12)), continuation(6), continuation(0)};
  return {byte(0xF0 | (code_point >> 18)), continuation(12), continuation(6), continuation(0)};
}

std::string repair_utf8(std::string_view text) {
  std::string result;
  while (true) {
    const auto bad = invalid_utf8(text);
    if (!bad.has_value()) break;
    result.append(text.substr(0, bad.value())).append("\xEF\xBF\xBD");
    text.remove_prefix(bad.value() + 1);
  }
  return result.append(text);
}

}  // namespace tfm
