#include "tfm/tokenizer/language_tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

WordTokenizer tokenizer_with(std::vector<std::string> words) {
  std::vector<std::string> tokens{"<pad>", "<s>", "</s>", "<unk>"};
  tokens.insert(tokens.end(), words.begin(), words.end());
  return WordTokenizer(Vocab(tokens, {}));
}

/// Returns the tag that a language finds among the tags of a kind.
std::string found(const Tokenizer& tokenizer, TagKind kind, const std::string& language) {
  return tokenizer.piece(
      find_language_tag(tokenizer, list_language_tags(tokenizer, kind), language, "field"));
}

TEST(ListLanguageTags, FindsTheTagsOfItsKind) {
  const auto tokenizer = tokenizer_with(
      {"<2fr>", "__", "____", "__fr__", "fra_Latn", "fra_latn", "abc_Defgh", "<2>", "2fr"});
  EXPECT_THAT(list_language_tags(tokenizer, TagKind::target_in_source), ElementsAre(4));
  EXPECT_THAT(list_language_tags(tokenizer, TagKind::language), ElementsAre(7, 8));
}

TEST(FindLanguageTag, AcceptsTheTagItsCodeAndOtherCodesOfTheLanguage) {
  const auto nllb = tokenizer_with({"fra_Latn", "deu_Latn", "zho_Hans", "zho_Hant", "arb_Arab"});
  for (const char* name : {"fra_Latn", "fr", "fra", "FR", "fr-Latn", "fr-CA"})
    EXPECT_EQ(found(nllb, TagKind::language, name), "fra_Latn") << name;
  EXPECT_EQ(found(nllb, TagKind::language, "zh"), "zho_Hans");
  EXPECT_EQ(found(nllb, TagKind::language, "zh-TW"), "zho_Hant");
  EXPECT_EQ(found(nllb, TagKind::language, "ar"), "arb_Arab");
  const auto m2m = tokenizer_with({"__fr__", "__de__", "__zh__"});
  for (const char* name : {"fr", "__fr__", "fra", "fra_Latn"})
    EXPECT_EQ(found(m2m, TagKind::language, name), "__fr__") << name;
  EXPECT_EQ(found(m2m, TagKind::language, "zho_Hans"), "__zh__");
  const auto own = tokenizer_with({"<2fr>", "<2pt-BR>", "<2pt-PT>"});
  EXPECT_EQ(found(own, TagKind::target_in_source, "fr"), "<2fr>");
  EXPECT_EQ(found(own, TagKind::target_in_source, "<2fr>"), "<2fr>");
  EXPECT_EQ(found(own, TagKind::target_in_source, "pt-PT"), "<2pt-PT>");
}

TEST(FindLanguageTag, NamesTheNearestLanguagesIfThereIsNone) {
  const auto nllb = tokenizer_with(
      {"zul_Latn", "fra_Latn", "ace_Arab", "fur_Latn", "deu_Latn", "ell_Grek", "tha_Thai"});
  const auto message = message_of<ConfigError>([&] { found(nllb, TagKind::language, "fro"); });
  EXPECT_THAT(message, HasSubstr("field: the model has no language 'fro'"));
  EXPECT_THAT(message, HasSubstr("one of its 7 languages; most like it are: fra_Latn, "));
  EXPECT_EQ(message.find("tha_Thai"), std::string::npos) << message;
}

TEST(FindLanguageTag, NamesTheScriptsIfThereAreSeveral) {
  const auto nllb = tokenizer_with({"kas_Arab", "kas_Deva"});
  EXPECT_THAT(message_of<ConfigError>([&] { found(nllb, TagKind::language, "ks"); }),
              HasSubstr("Name one of: kas_Arab, kas_Deva."));
  EXPECT_EQ(found(nllb, TagKind::language, "ks-Deva"), "kas_Deva");
}

TEST(DescribeTags, CountsTheTagsThatItDoesNotName) {
  std::vector<std::string> words;
  for (char letter = 'a'; letter < 'm'; ++letter)
    words.push_back(std::string("<2x") + letter + ">");
  const auto tokenizer = tokenizer_with(words);
  EXPECT_THAT(describe_tags(tokenizer, list_language_tags(tokenizer, TagKind::target_in_source)),
              testing::EndsWith("xi, xj and 2 more"));
}

}  // namespace
}  // namespace tfm
