#include <vector>

#include "pad_pairs.h"
#include "tfm/text/unicode_categories.h"
#include "tokenizers.h"
#include "unicode.h"

namespace tfm {
namespace {

struct CategorizedCharacter {
  std::string_view bytes;
  UnicodeCategory category;
};

bool is_not_number(const CategorizedCharacter& c) { return c.category != UnicodeCategory::number; }
bool is_punctuation(const CategorizedCharacter& c) {
  return c.category == UnicodeCategory::punctuation;
}

std::vector<CategorizedCharacter> categorize(std::string_view line) {
  std::vector<CategorizedCharacter> characters;
  characters.reserve(line.size());
  for (const CodePoint& c : code_points(line))
    characters.push_back({c.bytes, unicode_category(c.value)});
  return characters;
}

}  // namespace

std::string tokenize_intl(std::string_view line) {
  const CategorizedCharacter blank{" ", UnicodeCategory::other};
  auto characters = categorize(line);
  const auto pad = [&](const PairRule<CategorizedCharacter>& rule) {
    characters = pad_pairs(characters, rule, blank);
  };
  pad({.first = is_not_number,
       .second = is_punctuation,
       .before = false,
       .between = true,
       .after = true});
  pad({.first = is_punctuation,
       .second = is_not_number,
       .before = true,
       .between = true,
       .after = false});
  std::string padded;
  for (const auto& c : characters) {
    const std::string_view around = c.category == UnicodeCategory::symbol ? " " : "";
    padded.append(around).append(c.bytes).append(around);
  }
  return join_words(padded);
}

}  // namespace tfm
