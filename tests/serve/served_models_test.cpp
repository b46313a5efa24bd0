#include "tfm/serve/served_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gated_lane.h"
#include "serve/model_choice.h"
#include "serve/translate_request.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// A model whose translation of a line is the line with a letter at its end, and a second one.
ServedModel model(const std::string& source, const std::string& target, const std::string& letter) {
  const auto lane = std::make_shared<Lane>([letter](const LaneLine& line) {
    return LineTranslation{
        {line.tags.source + line.text + letter, line.tags.source + line.text + "?"}};
  });
  return {{source, target}, lane, lane, ""};
}

std::vector<std::string> pairs(const ServedModels& models) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < models.router().models().size(); ++i) {
    const auto& [source, target] = models.at(i).languages;
    const auto& pivot = models.at(i).pivot;
    names.push_back(source + (pivot.empty() ? "" : "-" + pivot) + "-" + target);
  }
  return names;
}

TEST(ServedModels, PivotsOnlyBetweenLanguagesThatNoModelTranslates) {
  EXPECT_THAT(pairs(ServedModels({model("de", "en", "1")})), ElementsAre("de-en"));
  EXPECT_THAT(pairs(ServedModels({model("de", "en", "1"), model("en", "de", "2")})),
              ElementsAre("de-en", "en-de"));
  EXPECT_THAT(pairs(ServedModels({model("de", "en", "1"), model("en", "fr", "2")})),
              ElementsAre("de-en", "en-fr", "de-en-fr"));
  EXPECT_THAT(
      pairs(ServedModels({model("de", "en", "1"), model("en", "fr", "2"), model("de", "fr", "3")})),
      ElementsAre("de-en", "en-fr", "de-fr"));
}

/// A model of many languages needs no pivot, but another model may lead into it.
TEST(ServedModels, PivotsFromAndToAModelOfAllPairs) {
  const std::vector<std::string> languages{"de", "en", "fr"};
  std::vector<ServedModel> models;
  for (const auto& source : languages) {
    for (const auto& target : languages) {
      if (source != target) models.push_back(model(source, target, "1"));
    }
  }
  EXPECT_EQ(pairs(ServedModels(models)).size(), 6U);
  models.push_back(model("en", "hsb", "2"));
  models.push_back(model("hsb", "de", "3"));
  const auto all = pairs(ServedModels(models));
  EXPECT_EQ(std::vector(all.begin() + 8, all.end()),
            (std::vector<std::string>{"de-en-hsb", "fr-en-hsb", "hsb-de-en", "hsb-de-fr"}));
}

TEST(ServedModels, PivotsOverTheFirstLanguageThatIsPossible) {
  EXPECT_THAT(pairs(ServedModels({model("de", "en", "1"), model("de", "es", "2"),
                                  model("es", "fr", "3"), model("en", "fr", "4")})),
              ElementsAre("de-en", "de-es", "es-fr", "en-fr", "de-en-fr"));
}

TEST(ServedModels, VariantsOfALanguageAreOneLanguage) {
  EXPECT_THAT(pairs(ServedModels({model("de", "en-gb", "1"), model("en", "de-at", "2")})),
              ElementsAre("de-en-gb", "en-de-at"));
  EXPECT_THAT(pairs(ServedModels({model("de", "en-gb", "1"), model("en", "fr", "2")})),
              testing::Contains("de-en-gb-fr"));
}

TEST(ServedModels, APivotTranslatesTheBestTranslation) {
  const ServedModels models({model("de", "en", "1"), model("en", "fr", "2")});
  const auto pivot = models.router().find("de", "fr");
  ASSERT_TRUE(pivot);
  EXPECT_EQ((*models.at(*pivot).text)({"a"}), (LineTranslation{{"a12", "a1?"}}));
}

TEST(ServedModels, PairsOfOneModelShareItsLanes) {
  const auto lane = model("", "", "1").text;
  const auto all = make_served_models({{{"de", "en"}, {"<2en>"}}, {{"en", "fr"}, {"<2fr>"}}},
                                      {.text = lane, .html = lane});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].text, lane);
  EXPECT_EQ(all[1].languages, (LanguagePair{"en", "fr"}));
  EXPECT_EQ(all[1].tags.source, "<2fr>");
}

TEST(ServedModels, APivotGivesEachModelItsTag) {
  const auto lane = model("", "", "1").text;
  const ServedModels models(make_served_models(
      {{{"de", "en"}, {"<2en>"}}, {{"en", "fr"}, {"<2fr>"}}}, {.text = lane, .html = lane}));
  const auto pivot = models.router().find("de", "fr");
  ASSERT_TRUE(pivot);
  const auto& found = models.at(*pivot);
  EXPECT_EQ((*found.text)({"a", found.tags}),
            (LineTranslation{{"<2fr><2en>a11", "<2fr><2en>a1?"}}));
}

/// The words of a pivot belong to the source. Its prefix and next words are those of the target.
TEST(ServedModels, APivotAlignsItsWordsWithTheSource) {
  std::vector<LineDetails> seen;
  const auto lane = [&seen](std::vector<AlignedWord> words) {
    return std::make_shared<Lane>([&seen, words](const LaneLine& line) {
      seen.push_back(line.details);
      return LineTranslation{{"x"}, {words}};
    });
  };
  const auto first = lane({{"b0", 0.5, 7}, {"b1", 0.5, -1}, {"b2", 0.5, 8}});
  const auto second = lane({{"t0", 0.25, 2}, {"t1", 1, 1}, {"t2", 1, -1}, {"t3", 1, 3}});
  const ServedModels models({{{"de", "en"}, first, first, ""}, {{"en", "fr"}, second, second, ""}});
  const LineDetails details{.words = true, .next_words = 3, .prefix = "p"};
  const auto found = models.at(*models.router().find("de", "fr"));
  const auto line = (*found.text)({"a", {}, details});
  EXPECT_EQ(line.words.front(), (std::vector<AlignedWord>{
                                    {"t0", 0.25, 8}, {"t1", 1, -1}, {"t2", 1, -1}, {"t3", 1, -1}}));
  EXPECT_THAT(seen, ElementsAre(LineDetails{.words = true}, details));
}

TEST(ServedModels, APivotReturnsTheErrorsOfBothModels) {
  GatedLane first(true);
  std::vector<std::string> seen;
  const auto second = std::make_shared<Lane>([&seen](const LaneLine& line) {
    seen.push_back(line.text);
    LineTranslation result{{line.text}};
    if (line.text == "[b]") result.error.emplace(400, "second");
    return result;
  });
  const ServedModels models(
      {{{"de", "en"}, first.lane(), first.lane(), ""}, {{"en", "fr"}, second, second, ""}});
  const auto& lane = *models.at(*models.router().find("de", "fr")).text;
  EXPECT_EQ(lane({"a"}).text(), "[a]");
  EXPECT_EQ(lane({"refuse"}).error, HttpError(400, "the line is refused"));
  EXPECT_EQ(lane({"b"}).error, HttpError(400, "second"));
  EXPECT_THAT(seen, ElementsAre("[a]", "[b]"));
}

TEST(ServedModels, KnowTheLanguagesOfTexts) {
  std::map<std::string, LetterNgramCounts> counts;
  for (int i = 0; i < 20; ++i) {
    counts["de"].add("aba aba");
    counts["en"].add("cdc cdc");
  }
  const ServedModels models({model("de", "en", "1"), model("en", "de", "2")},
                            LanguageIdentifier(counts));
  EXPECT_EQ(choose_model(models, {detected_source, "en"}, [] { return "aba"; }).detected->language,
            "de");
  const auto choice = choose_model(models, {detected_source, "en"}, [] { return "cdc"; });
  EXPECT_EQ(choice.detected->language, "en");
  EXPECT_GT(choice.detected->confidence, 90);
  EXPECT_EQ(choice.model, nullptr) << "the text is in the target language";
}

}  // namespace
}  // namespace tfm
