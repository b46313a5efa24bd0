#include "unicode.h"

#include <fmt/format.h>

namespace tfm {
namespace {

std::size_t sequence_length(unsigned char lead) {
  if (lead >= 0xF0 && lead < 0xF8) return 4;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xC0 && lead < 0xE0) return 2;
  return 1;
}

}  // namespace

CodePoint decode_code_point(std::string_view text, std::size_t position) {
  const auto lead = static_cast<unsigned char>(text[position]);
  const std::string_view byte = text.substr(position, 1);
  if (lead < 0x80) return {lead, byte};
  const CodePoint stray{static_cast<char32_t>(0xDC00 + lead), byte};
  const std::size_t length = sequence_length(lead);
  if (length == 1 || position + length > text.size()) return stray;
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[position + i]);
    if ((next & 0xC0u) != 0x80u) return stray;
    value = (value << 6) | (next & 0x3Fu);
  }
  return {value, text.substr(position, length)};
}

std::vector<CodePoint> code_points(std::string_view text) {
  std::vector<CodePoint> characters;
  characters.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    characters.push_back(decode_code_point(text, position));
    position += characters.back().bytes.size();
  }
  return characters;
}

bool is_unicode_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  if (c >= 0x2000 && c <= 0x200A) return true;
  switch (c) {
    case 0x0085:
    case 0x00A0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
      return true;
    default:
      return false;
  }
}

std::vector<std::string_view> split_at_unicode_space(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  std::size_t position = 0;
  while (position < line.size()) {
    const CodePoint c = decode_code_point(line, position);
    if (is_unicode_space(c.value)) {
      if (position > start) words.push_back(line.substr(start, position - start));
      start = position + c.bytes.size();
    }
    position += c.bytes.size();
  }
  if (position > start) words.push_back(line.substr(start));
  return words;
}

std::string_view without_trailing_space(std::string_view line) {
  const auto words = split_at_unicode_space(line);
  if (words.empty()) return {};
  return line.substr(
      0, static_cast<std::size_t>(words.back().data() - line.data()) + words.back().size());
}

std::string join_words(std::string_view line) {
  return fmt::format("{}", fmt::join(split_at_unicode_space(line), " "));
}

std::u32string code_points_without_spaces(std::string_view line) {
  std::u32string result;
  result.reserve(line.size());
  for (std::size_t position = 0; position < line.size();) {
    const CodePoint c = decode_code_point(line, position);
    if (!is_unicode_space(c.value)) result.push_back(c.value);
    position += c.bytes.size();
  }
  return result;
}

}  // namespace tfm
