// The modifiers with text that a model must copy: the same random characters on both sides.
#include <array>

#include "modifier_functions.h"
#include "tfm/text/unicode_categories.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Letters and symbols of many scripts. Every range has assigned characters only, which no
/// normalisation of SentencePiece changes.
constexpr auto noise_ranges = std::to_array<CodePointRange>({
    {U'a', U'z'},     {U'A', U'Z'},     {0xE0, 0xF6},     {0x103, 0x131},     {0x3B1, 0x3C9},
    {0x410, 0x44F},   {0x561, 0x586},   {0x5D0, 0x5EA},   {0x627, 0x63A},     {0x905, 0x914},
    {0xE01, 0xE30},   {0x10D0, 0x10F0}, {0x3042, 0x3093}, {0x30A2, 0x30F3},   {0x4E00, 0x9FA5},
    {0xAC00, 0xD7A3}, {0x2190, 0x21FF}, {0x2654, 0x2667}, {0x1F600, 0x1F64F},
});
constexpr auto emoji_ranges = std::to_array<CodePointRange>({
    {0x1F600, 0x1F64F},
    {0x1F330, 0x1F37F},
    {0x1F400, 0x1F43E},
    {0x1F680, 0x1F6C5},
});

/// Returns a number from `low` to `high`.
std::size_t between(std::size_t low, std::size_t high, RandomStream& random) {
  return low + random.below(high - low + 1);
}

template <class Choices>
const auto& one_of_these(const Choices& choices, RandomStream& random) {
  return choices.at(random.below(choices.size()));
}

std::string characters_of(const CodePointRange& range, std::size_t count, RandomStream& random) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const auto offset = random.below(static_cast<std::size_t>(range.last - range.first) + 1);
    text += encode_utf8(range.first + static_cast<char32_t>(offset));
  }
  return text;
}

std::string ascii(std::string_view alphabet, std::size_t count, RandomStream& random) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += one_of_these(alphabet, random);
  return text;
}

std::string lower_letters(std::size_t most, RandomStream& random) {
  return ascii("abcdefghijklmnopqrstuvwxyz", between(3, most, random), random);
}

/// Returns a number in one of its usual forms: 4711, 12.5, 1/2, 12:30, +49-30, #17, 80%.
std::string random_number(RandomStream& random) {
  const auto digits = [&](std::size_t most) {
    return ascii("123456789", 1, random) + ascii("0123456789", random.below(most), random);
  };
  constexpr auto signs = std::to_array<std::string_view>({".", ",", "/", ":", "-"});
  switch (random.below(5)) {
    case 0:
      return digits(8);
    case 1:
      return std::string("#") += digits(5);
    case 2:
      return digits(3) += "%";
    default:
      return (digits(4) += one_of_these(signs, random)) += digits(4);
  }
}

std::string random_address(RandomStream& random) {
  constexpr auto endings =
      std::to_array<std::string_view>({"com", "org", "net", "eu", "de", "info"});
  const auto host = (lower_letters(12, random) += ".").append(one_of_these(endings, random));
  if (random.below(3) == 0) return (lower_letters(9, random) += "@") += host;
  std::string address = (random.below(2) == 0 ? "https://" : "www.") + host;
  const std::size_t parts = random.below(3);
  for (std::size_t i = 0; i < parts; ++i) {
    address += "/";
    address += random.below(3) == 0 ? random_number(random) : lower_letters(9, random);
  }
  return address;
}

}  // namespace

std::string random_words(std::size_t most, RandomStream& random) {
  std::string text;
  const std::size_t words = between(1, most, random);
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    text += characters_of(one_of_these(noise_ranges, random), between(2, 5, random), random);
  }
  return text;
}

TextPair replace_by_noise(TextPair /*pair*/, const ModifierInput& /*input*/, RandomStream& random) {
  const std::string text = random_words(6, random);
  return {text, text};
}

TextPair append_copy(TextPair pair, const ModifierInput& /*input*/, RandomStream& random) {
  std::string copied = " ";
  switch (random.below(3)) {
    case 0:
      copied += random_address(random);
      break;
    case 1:
      copied += random_number(random);
      break;
    default:
      copied += characters_of(one_of_these(emoji_ranges, random), between(1, 2, random), random);
  }
  pair.source += copied;
  pair.target += copied;
  return pair;
}

}  // namespace tfm
