#include "tfm/metrics/bleu_tokenizer.h"

#include <array>
#include <cstdint>
#include <stdexcept>

#include "tfm/text/unicode_categories.h"
#include "tokenizers.h"
#include "unicode.h"

namespace tfm {
namespace {

/// The number of characters of a text in each SpacelessScript, white space excluded.
using ScriptCounts = std::array<std::int64_t, 4>;

void count_scripts(std::string_view line, ScriptCounts& counts) {
  for (const char32_t c : code_points_without_spaces(line))
    ++counts[static_cast<std::size_t>(spaceless_script(c))];
}

}  // namespace

std::string tokenize_characters(std::string_view line) {
  std::string tokens;
  for (const CodePoint& c : code_points(line)) {
    if (is_unicode_space(c.value)) continue;
    tokens.append(tokens.empty() ? "" : " ").append(c.bytes);
  }
  return tokens;
}

std::string tokenize_for_bleu(std::string_view line, BleuTokenizer tokenizer) {
  switch (tokenizer) {
    case BleuTokenizer::mteval_13a:
      return tokenize_13a(line);
    case BleuTokenizer::zh:
      return tokenize_zh(line);
    case BleuTokenizer::character:
      return tokenize_characters(line);
    case BleuTokenizer::intl:
      return tokenize_intl(line);
    case BleuTokenizer::none:
      return join_words(line);
    case BleuTokenizer::automatic:
      break;
  }
  throw std::logic_error("the tokenizer of BLEU is not resolved (resolve_bleu_tokenizer)");
}

BleuTokenizer resolve_bleu_tokenizer(BleuTokenizer tokenizer,
                                     const std::vector<std::string>& references) {
  if (tokenizer != BleuTokenizer::automatic) return tokenizer;
  ScriptCounts counts{};
  for (const auto& line : references) count_scripts(line, counts);
  const auto [others, han, kana, southeast_asian] = counts;
  const std::int64_t spaceless = han + kana + southeast_asian;
  if (spaceless == 0 || 3 * spaceless < others) return BleuTokenizer::mteval_13a;
  // Chinese text may quote a few Japanese words. In Japanese text, at least a tenth of the Han and
  // kana characters are kana.
  const bool is_japanese = 10 * kana >= han + kana;
  if (southeast_asian > han || (is_japanese && kana > 0)) return BleuTokenizer::character;
  return BleuTokenizer::zh;
}

}  // namespace tfm
