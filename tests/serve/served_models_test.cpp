#include "tfm/serve/served_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gated_lane.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// A model whose translation of a line is the line with a letter at its end, and a second one.
ServedModel model(const std::string& source, const std::string& target, const std::string& letter) {
  const auto lane = std::make_shared<Lane>([letter](const std::vector<LaneLine>& lines) {
    std::vector<LineTranslation> results;
    for (const auto& line : lines)
      results.push_back({{line.tag + line.text + letter, line.tag + line.text + "?"}});
    return results;
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
  EXPECT_THAT((*models.at(*pivot).text)({{"a"}, {"b"}}),
              ElementsAre(LineTranslation{{"a12", "a1?"}}, LineTranslation{{"b12", "b1?"}}));
}

TEST(ServedModels, PairsOfOneModelShareItsLanes) {
  const auto lane = model("", "", "1").text;
  const auto all = make_served_models({{{"de", "en"}, "<2en>"}, {{"en", "fr"}, "<2fr>"}},
                                      {.text = lane, .html = lane});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].text, lane);
  EXPECT_EQ(all[1].languages, (LanguagePair{"en", "fr"}));
  EXPECT_EQ(all[1].tag, "<2fr>");
}

TEST(ServedModels, APivotGivesEachModelItsTag) {
  const auto lane = model("", "", "1").text;
  const ServedModels models(make_served_models({{{"de", "en"}, "<2en>"}, {{"en", "fr"}, "<2fr>"}},
                                               {.text = lane, .html = lane}));
  const auto pivot = models.router().find("de", "fr");
  ASSERT_TRUE(pivot);
  const auto& found = models.at(*pivot);
  EXPECT_THAT((*found.text)({{"a", found.tag}}),
              ElementsAre(LineTranslation{{"<2fr><2en>a11", "<2fr><2en>a1?"}}));
}

/// The words of a pivot belong to the source. Its prefix and next words are those of the target.
TEST(ServedModels, APivotAlignsItsWordsWithTheSource) {
  std::vector<LineDetails> seen;
  const auto lane = [&seen](std::vector<AlignedWord> words) {
    return std::make_shared<Lane>([&seen, words](const std::vector<LaneLine>& lines) {
      seen.push_back(lines.front().details);
      return std::vector<LineTranslation>{{{"x"}, {words}}};
    });
  };
  const auto first = lane({{"b0", 0.5, 7}, {"b1", 0.5, -1}, {"b2", 0.5, 8}});
  const auto second = lane({{"t0", 0.25, 2}, {"t1", 1, 1}, {"t2", 1, -1}, {"t3", 1, 3}});
  const ServedModels models({{{"de", "en"}, first, first, ""}, {{"en", "fr"}, second, second, ""}});
  const LineDetails details{.words = true, .next_words = 3, .prefix = "p"};
  const auto found = models.at(*models.router().find("de", "fr"));
  const auto line = (*found.text)({{"a", "", details}}).front();
  EXPECT_EQ(line.words.front(), (std::vector<AlignedWord>{
                                    {"t0", 0.25, 8}, {"t1", 1, -1}, {"t2", 1, -1}, {"t3", 1, -1}}));
  EXPECT_THAT(seen, ElementsAre(LineDetails{.words = true}, details));
}

TEST(ServedModels, APivotReturnsTheErrorsOfBothModels) {
  GatedLane first(true);
  std::vector<std::string> seen;
  const auto second = std::make_shared<Lane>([&seen](const std::vector<LaneLine>& lines) {
    std::vector<LineTranslation> results;
    for (const auto& line : lines) {
      seen.push_back(line.text);
      auto& result = results.emplace_back(LineTranslation{{line.text}});
      if (line.text == "[b]") result.error.emplace(400, "second");
    }
    return results;
  });
  const ServedModels models(
      {{{"de", "en"}, first.lane(), first.lane(), ""}, {{"en", "fr"}, second, second, ""}});
  const auto& lane = *models.at(*models.router().find("de", "fr")).text;
  const auto lines = lane({{"a"}, {"refuse"}, {"b"}, {"c"}});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].text(), "[a]");
  EXPECT_EQ(lines[1].error, HttpError(400, "the line is refused"));
  EXPECT_EQ(lines[2].error, HttpError(400, "second"));
  EXPECT_EQ(lines[3].text(), "[c]");
  EXPECT_THAT(seen, ElementsAre("[a]", "[b]", "[c]"));
  EXPECT_EQ(lane({{"refuse"}}).front().error, HttpError(400, "the line is refused"));
  EXPECT_EQ(seen.size(), 3U);
}

}  // namespace
}  // namespace tfm
