#include <algorithm>

#include "tfm/text/unicode_categories.h"
#include "tokenizers.h"
#include "unicode.h"

namespace tfm {
namespace {

/// The Chinese ranges of sacreBLEU's tokenizer_zh.py. Two of them differ from the comments in that
/// file, because Python reads '\u20000' as '\u2000' and '0'. U+2001 to U+2A6D and U+2F81 to U+2FA1
/// therefore count as Chinese, and the ideographs of Extension B do not.
constexpr CodePointRange chinese_ranges[] = {
    {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
    {0x2001, 0x2A6D}, {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F},
    {0x31C0, 0x31EF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
    {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0x2600, 0x27BF}, {0x3200, 0x33FF},
};

bool is_chinese(char32_t c) {
  return std::ranges::any_of(chinese_ranges, [c](const CodePointRange& range) {
    return range.first <= c && c <= range.last;
  });
}

}  // namespace

std::string tokenize_zh(std::string_view line) {
  std::string padded;
  padded.reserve(2 * line.size());
  for (const CodePoint& c : code_points(line)) {
    const std::string_view blank = is_chinese(c.value) ? " " : "";
    padded.append(blank).append(c.bytes).append(blank);
  }
  return separate_punctuation(padded);
}

}  // namespace tfm
