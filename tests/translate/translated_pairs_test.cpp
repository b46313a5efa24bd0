#include "tfm/translate/translated_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/core/error.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> spelled(const TranslationModel& model, const LanguagePair& only = {}) {
  std::vector<std::string> pairs;
  for (const auto& [languages, tags] : list_translated_pairs(model, only))
    pairs.push_back(languages.source + " " + languages.target + " " + tags.source + " " +
                    tags.target);
  return pairs;
}

TEST(ListTranslatedPairs, ReturnsAllPairsOfAnImportedModel) {
  auto model = tiny_model(1, "a b deu_Latn fra_Latn hsb_Latn");
  model.config.data.language_tags = LanguageTags::first;
  model.config.decoding.source_language = "deu_Latn";  // as the import sets it
  EXPECT_THAT(spelled(model), ElementsAre("de fr deu_Latn fra_Latn", "de hsb deu_Latn hsb_Latn",
                                          "fr de fra_Latn deu_Latn", "fr hsb fra_Latn hsb_Latn",
                                          "hsb de hsb_Latn deu_Latn", "hsb fr hsb_Latn fra_Latn"));
  EXPECT_THAT(spelled(model, {"", "de"}),
              ElementsAre("fr de fra_Latn deu_Latn", "hsb de hsb_Latn deu_Latn"));
  EXPECT_THAT(spelled(model, {"fra", "de"}), ElementsAre("fr de fra_Latn deu_Latn"));
  EXPECT_THROW(list_translated_pairs(model, {"es", ""}), ConfigError);
}

TEST(ListTranslatedPairs, ReturnsThePairsOfTheConfigOfAnotherModel) {
  auto model = tiny_model(1, "a b <2fr>");
  model.config.data.source_language = "de";
  model.config.data.target_language = "fr";
  EXPECT_THAT(spelled(model), ElementsAre("de fr  "));
  model.config.decoding.source_tag = "<2es>";
  EXPECT_THROW(list_translated_pairs(model), ConfigError) << "the vocabulary lacks the tag";
}

TEST(WithTags, NamesTheTagOrBothLanguages) {
  EXPECT_EQ(with_tags({}, {"<2fr>"}).source_tag, "<2fr>");
  const auto both = with_tags({}, {"deu_Latn", "fra_Latn"});
  EXPECT_THAT(both.source_tag, IsEmpty());
  EXPECT_EQ(both.source_language, "deu_Latn");
  EXPECT_EQ(both.target_language, "fra_Latn");
  EXPECT_THAT(with_tags({}, {""}).source_tag, IsEmpty());
}

}  // namespace
}  // namespace tfm
