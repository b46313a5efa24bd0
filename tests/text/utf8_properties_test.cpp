#include <gtest/gtest.h>

#include "property.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Generates bytes that start, continue and break UTF-8 sequences.
rc::Gen<std::string> any_bytes() {
  return rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::arbitrary<char>(),
      rc::gen::element<char>('a', '\x7F', '\x80', '\x82', '\x8F', '\x90', '\x9F', '\xA0', '\xBF',
                             '\xC0', '\xC2', '\xE0', '\xE2', '\xED', '\xF0', '\xF4', '\xFF')));
}

/// Generates code points of every length in UTF-8, often the lowest or highest of their length.
rc::Gen<std::vector<char32_t>> code_points() {
  const auto range = [](std::uint32_t first, std::uint32_t last) {
    return rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(first, last + 1),
                          rc::gen::element(first, last));
  };
  return rc::gen::container<std::vector<char32_t>>(rc::gen::cast<char32_t>(
      rc::gen::oneOf(range(0, 0x7F), range(0x80, 0x7FF), range(0x800, 0xD7FF),
                     range(0xE000, 0xFFFF), range(0x10000, 0x10FFFF))));
}

/// Encodes code points as in table 3-6 of the Unicode standard.
std::string encode(const std::vector<char32_t>& points) {
  std::string text;
  for (const char32_t point : points) {
    const auto continuing = [&](int shift) {
      text += static_cast<char>(0x80 | ((point >> shift) & 0x3F));
    };
    if (point < 0x80) {
      text += static_cast<char>(point);
    } else if (point < 0x800) {
      text += static_cast<char>(0xC0 | (point >> 6));
      continuing(0);
    } else if (point < 0x10000) {
      text += static_cast<char>(0xE0 | (point >> 12));
      continuing(6), continuing(0);
    } else {
      text += static_cast<char>(0xF0 | (point >> 18));
      continuing(12), continuing(6), continuing(0);
    }
  }
  return text;
}

std::vector<char32_t> decode(std::string_view text) {
  std::vector<char32_t> points;
  for (std::size_t position = 0; position < text.size();)
    points.push_back(next_code_point(text, position));
  return points;
}

TEST(Utf8Property, RepairedTextIsValidAndNotChangedByASecondRepair) {
  check_property([] {
    const std::string repaired = repair_utf8(*any_bytes());
    RC_ASSERT(!invalid_utf8(repaired).has_value());
    RC_ASSERT(repair_utf8(repaired) == repaired);
  });
}

TEST(Utf8Property, RepairReplacesTheBytesThatNextCodePointCannotDecode) {
  check_property([] {
    const std::string bytes = *any_bytes();
    RC_ASSERT(decode(repair_utf8(bytes)) == decode(bytes));
  });
}

TEST(Utf8Property, DecodingRestoresEncodedCodePoints) {
  check_property([] {
    const auto points = *code_points();
    const std::string text = encode(points);
    RC_ASSERT(!invalid_utf8(text).has_value());
    RC_ASSERT(decode(text) == points);
    RC_ASSERT(repair_utf8(text) == text);
  });
}

}  // namespace
}  // namespace tfm
