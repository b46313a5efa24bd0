#include "tfm/corpus/pair_languages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tfm {
namespace {

constexpr const char* german_that_looks_norwegian = "Ein Kilo Äpfel kostet 3,20 Euro.";

/// Returns the training text of the café, which is German and English.
std::vector<CorpusPair> cafe() {
  const std::filesystem::path folder = TFM_SOURCE_DIR "/data/cafe";
  const PairsReadAhead source(open_pairs({{folder / "train.de", folder / "train.en"}, "", ""}),
                              pairs_to_learn_from);
  return {source.ahead().begin(), source.ahead().end()};
}

PairLanguages learned(const std::vector<CorpusPair>& pairs, const char* source = "de",
                      const char* target = "en") {
  PairLanguages languages{language_from_code(source), language_from_code(target)};
  languages.learned = learn_languages(pairs, languages.source, languages.target);
  return languages;
}

bool is_foreign_source(const char* text, const PairLanguages& languages) {
  return is_in_other_language(text, languages.source, languages);
}
bool is_foreign_target(const char* text, const PairLanguages& languages) {
  return is_in_other_language(text, languages.target, languages);
}

TEST(IsInOtherLanguage, BelievesTheCorpusBeforeCld2) {
  const auto languages = learned(cafe());
  EXPECT_FALSE(is_foreign_source(german_that_looks_norwegian, languages));
  EXPECT_TRUE(is_foreign_source("The last bus to Leipzig leaves at ten.", languages));
  EXPECT_TRUE(is_foreign_target("Gestern Mantel, heute Hemd", languages));
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const auto unlearned = learned({});
  EXPECT_TRUE(is_foreign_source(german_that_looks_norwegian, unlearned)) << "CLD2 is wrong";
  EXPECT_FALSE(is_foreign_target("Gestern Mantel, heute Hemd", unlearned)) << "CLD2 is not sure";
}

TEST(IsInOtherLanguage, AsksCld2AboutTextInNeitherLanguage) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const auto languages = learned(cafe());
  for (const char* text : {"Le dernier autobus pour Paris part à dix heures.",
                           "Двое молодых людей стоят возле кустов."}) {
    EXPECT_TRUE(is_foreign_source(text, languages)) << text;
    EXPECT_TRUE(is_foreign_target(text, languages)) << text;
  }
  EXPECT_FALSE(is_foreign_target("Amidst shrubbery, the violinist improvised.", languages))
      << "other English";
  EXPECT_FALSE(is_foreign_target("12345", languages));
}

TEST(IsInOtherLanguage, AsksCld2AboutUnusualText) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const auto languages = learned(cafe());
  const std::string dutch = "Een kilo tomaten kost hier vijf euro.";
  const auto probable = languages.learned.ngrams.identify(dutch, {"de", "en"});
  EXPECT_EQ(probable.front().language, "de");
  EXPECT_GT(probable.front().probability, 0.99) << "by n-grams, it is German rather than nothing";
  EXPECT_TRUE(is_foreign_source(dutch.c_str(), languages));
}

TEST(LearnLanguages, SkipsSidesThatAreInAnotherLanguage) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  auto pairs = cafe();
  for (std::size_t i = 0; i < pairs.size(); i += 10)
    pairs[i].target = "Двое молодых людей стоят возле кустов.";
  EXPECT_TRUE(is_foreign_target("Двое людей стоят возле кустов.", learned(pairs)));
}

TEST(LearnLanguages, LearnsALanguageThatCld2DoesNotKnow) {
  const auto languages = learned(cafe(), "xx", "en");
  EXPECT_FALSE(is_foreign_source(german_that_looks_norwegian, languages));
  EXPECT_TRUE(is_foreign_source("The last bus to Leipzig leaves at ten.", languages));
  EXPECT_FALSE(is_foreign_source("Ein ganz anderes Gespräch über Gott und die Welt.", languages))
      << "CLD2 can only say German, which is not a language of the corpus";
}

TEST(LearnLanguages, NeedsTwoLanguagesAndEnoughText) {
  auto pairs = cafe();
  EXPECT_TRUE(learned(pairs).learned.ngrams.knows_languages());
  EXPECT_FALSE(learned(pairs, "", "en").learned.ngrams.knows_languages());
  EXPECT_FALSE(learned(pairs, "nb", "nn").learned.ngrams.knows_languages()) << "CLD2 confuses them";
  for (auto& pair : pairs) pair.target = "a short side";
  EXPECT_FALSE(learned(pairs).learned.ngrams.knows_languages());
  pairs = cafe();
  pairs.resize(50);
  EXPECT_FALSE(learned(pairs).learned.ngrams.knows_languages());
}

}  // namespace
}  // namespace tfm
