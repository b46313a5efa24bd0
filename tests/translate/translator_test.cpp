#include "tfm/translate/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tfm/core/error.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Translation>& translations) {
  std::vector<std::string> result;
  for (const auto& translation : translations) result.push_back(translation.text());
  return result;
}

std::vector<std::string> random_lines(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> lines(count);
  for (auto& line : lines) {
    for (auto words = random() % 10; words > 0; --words) line += std::string(1, static_cast<char>('a' + random() % 10)) + " ";
  }
  return lines;
}

TEST(Translator, GivesEachLineItsOwnTranslationInOrder) {
  auto model = tiny_model();
  for (const int64_t beam : {1, 3}) {
    auto decoding = model.config.decoding;
    decoding.beam_size = beam;
    decoding.batch_size = 40;  // several batches
    Translator translator(model, decoding);
    const auto lines = random_lines(30, 5);
    const auto together = texts(translator.translate(lines));
    ASSERT_EQ(together.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(together[i], texts(translator.translate({lines[i]})).front()) << lines[i];
  }
}

TEST(Translator, GivesAnEmptyLineForAnEmptyLine) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  const auto translations = translator.translate({"", "a b", "   ", "\t"});
  EXPECT_EQ(translations[0].text(), "");
  EXPECT_NE(translations[1].text(), "");
  EXPECT_EQ(translations[2].text(), "");
  EXPECT_EQ(translations[3].text(), "");
  EXPECT_TRUE(translator.translate({}).empty());
}

TEST(Translator, TranslatesATooLongLineInPartsThatItSaysAndLosesNothing) {
  auto model = tiny_model();  // at most 12 tokens with eos
  Translator translator(model, model.config.decoding);
  std::string line;
  for (int i = 0; i < 22; ++i) line += std::string(1, static_cast<char>('a' + i % 10)) + " ";
  const auto whole = translator.translate({line}).front();
  EXPECT_EQ(whole.parts, 2);
  const auto halves = texts(translator.translate({line.substr(0, 22), line.substr(22)}));
  EXPECT_EQ(whole.text(), halves[0] + " " + halves[1]);
}

TEST(Translator, NamesWhatTheVocabularyDoesNotCover) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  EXPECT_THAT(translator.translate({"a zebra b xylophone"}).front().unknown, ElementsAre("zebra", "xylophone"));
}

TEST(Translator, RepairsWhatIsNotUtf8) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  const auto translations = translator.translate({"a \xC3( b", "a b"});
  EXPECT_TRUE(translations[0].repaired);
  EXPECT_FALSE(translations[1].repaired);
  EXPECT_EQ(repair_utf8("a\xFF\xC3\xA4\xC3"), "a\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD");
}

TEST(Translator, OrdersCandidatesByScore) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.beam_size = decoding.n_best = 4;
  const auto translation = Translator(model, decoding).translate({"a b c"}).front();
  ASSERT_EQ(translation.candidates.size(), 4U);
  EXPECT_TRUE(
      std::is_sorted(translation.candidates.begin(), translation.candidates.end(), [](const auto& a, const auto& b) { return a.score > b.score; }));
}

TEST(Translator, LeavesATrainingNetworkInTraining) {
  auto model = tiny_model();
  model.network->train();
  Translator(model, model.config.decoding).translate({"a"});
  EXPECT_TRUE(model.network->is_training());
}

TEST(Translator, NeverSaysASpecialToken) {
  auto model = tiny_model();
  for (const auto& translation : Translator(model, model.config.decoding).translate(random_lines(20, 9))) {
    for (const auto& token : translation.candidates.front().tokens) EXPECT_EQ(token.find('<'), std::string::npos) << token;
  }
}

TEST(Translator, EndsATranslationAtTheStopToken) {
  auto model = tiny_model();
  const auto lines = random_lines(40, 9);
  auto decoding = model.config.decoding;
  decoding.beam_size = 1;
  const auto free = texts(Translator(model, decoding).translate(lines));
  const auto longest = *std::ranges::max_element(free, {}, &std::string::size);
  const char stop_letter = longest[longest.size() / 4 * 2];  // letters and spaces alternate
  decoding.stop_token = stop_letter;
  const auto stopped = texts(Translator(model, decoding).translate(lines));
  int with_stop = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto stop = free[i].find(stop_letter);
    EXPECT_EQ(stopped[i], stop == std::string::npos ? free[i] : free[i].substr(0, stop + 1));
    with_stop += stop == std::string::npos ? 0 : 1;
  }
  EXPECT_GT(with_stop, 0);
}

TEST(Translator, RefusesAStopTokenThatIsNone) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.stop_token = "zz";
  EXPECT_THROW(Translator(model, decoding), ConfigError);
}

}  // namespace
}  // namespace tfm
