#include <fmt/format.h>

#include <array>

#include "tfm/text/letter_case.h"
#include "tfm/text/unicode_categories.h"
#include "tokenizers.h"
#include "unicode.h"

namespace tfm {
namespace {

/// Han characters, their strokes, radicals and compatibility forms. sacreBLEU also has rules for
/// kana, but they apply only at the beginning of a text, which is always a space.
constexpr auto tercom_han_ranges = std::to_array<CodePointRange>({
    {0x2E80, 0x2EFF},
    {0x31C0, 0x31EF},
    {0x3200, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE4F},
});

/// Punctuation of East Asian texts, and full-width punctuation.
constexpr auto asian_punctuation_ranges = std::to_array<CodePointRange>({
    {0x3001, 0x3002},
    {0x3008, 0x3011},
    {0x3014, 0x301F},
    {0x30FB, 0x30FB},
    {0xFF01, 0xFF02},
    {0xFF08, 0xFF09},
    {0xFF0C, 0xFF0C},
    {0xFF0E, 0xFF0E},
    {0xFF1A, 0xFF1B},
    {0xFF1F, 0xFF1F},
    {0xFF61, 0xFF65},
});

/// Separates ASCII punctuation and the possessive 's. The result may have spaces in excess.
std::string normalize_tercom(std::string_view line) {
  std::string text(line);
  replace_all(text, "\n-", "");  // so in tercom; 13a joins words at a hyphen before the line feed
  replace_all(text, "\n", " ");
  decode_basic_entities(text);
  text = pad_symbols(fmt::format(" {} ", text));
  replace_all(text, "'s ", " 's ");
  return pad_stops_and_hyphens(std::move(text));
}

std::string pad_asian_characters(std::string_view text) {
  std::string padded;
  for (const CodePoint& c : code_points(text)) {
    const bool is_separate =
        is_in(tercom_han_ranges, c.value) || is_in(asian_punctuation_ranges, c.value);
    const std::string_view blank = is_separate ? " " : "";
    padded.append(blank).append(c.bytes).append(blank);
  }
  return padded;
}

std::string remove_tercom_punctuation(std::string_view text, bool asian_support) {
  constexpr std::u32string_view ascii = U".,?:;!\"()";
  std::string rest;
  for (const CodePoint& c : code_points(text)) {
    const bool is_asian = asian_support && is_in(asian_punctuation_ranges, c.value);
    if (!is_asian && ascii.find(c.value) == std::u32string_view::npos) rest.append(c.bytes);
  }
  return rest;
}

}  // namespace

std::string tokenize_tercom(std::string_view line, const TerOptions& options) {
  std::string text(without_trailing_space(line));
  if (!options.case_sensitive) text = lowercase(text);
  if (options.normalized) text = normalize_tercom(text);
  if (options.normalized && options.asian_support) text = pad_asian_characters(text);
  if (options.no_punct) text = remove_tercom_punctuation(text, options.asian_support);
  return join_words(text);
}

}  // namespace tfm
