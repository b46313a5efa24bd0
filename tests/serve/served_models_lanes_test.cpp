#include <gmock/gmock.h>

#include "tfm/core/error.h"
#include "tfm/serve/served_models.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The lanes of a model with random weights, which counts the batches that it translates.
class TranslatorLanes : public testing::Test {
 protected:
  std::vector<LineTranslation> answer(const std::vector<LaneLine>& lines) {
    return (*lanes_.text)(lines);
  }
  std::vector<std::string> translate(const std::string& line,
                                     const TranslationRequest& request = {}) {
    const auto translations = translator_->translate({line}, request);
    std::vector<std::string> texts;
    for (const auto& candidate : translations.front().candidates) texts.push_back(candidate.text);
    return texts;
  }
  /// Throws as a model does whose attention fails.
  static std::string attention(const LaneLine& line) {
    if (line.details.attention_target == "long") throw DataError("q", "the line is too long");
    return line.text + " " + line.details.attention_target;
  }

  int batches = 0;

 private:
  TranslationModel model_ = tiny_model();
  std::shared_ptr<Translator> translator_ =
      std::make_shared<Translator>(model_, model_.config.decoding);
  ModelLanes lanes_ = make_lanes(
      translator_, {.on_tokens = [this](const TokenCount&) { ++batches; }, .attention = attention});
};

const std::string long_line = "a b c d e f g h i j a b c d e f";

TEST_F(TranslatorLanes, GiveEachLineOfABatchItsDetails) {
  const auto lines = answer({{"a b"},
                             {"a b", "", {.words = true}},
                             {"a b", "", {.next_words = 2, .prefix = "c"}},
                             {"b c", "", {.attention_target = "d"}},
                             {"c d"},
                             {"c d", "", {.next_words = 2, .prefix = "e f"}}});
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0].candidates, translate("a b"));
  EXPECT_TRUE(lines[0].words.empty());
  EXPECT_EQ(lines[1].candidates, lines[0].candidates);
  EXPECT_FALSE(lines[1].words.front().empty());
  EXPECT_EQ(lines[2].candidates, translate("a b", {.constraints = {{"c", {}}}, .next_words = 2}));
  EXPECT_THAT(lines[2].text(), StartsWith("c "));
  EXPECT_EQ(lines[3].attention, "b c d");
  EXPECT_EQ(lines[3].text(), "d");
  EXPECT_EQ(lines[4].candidates, translate("c d"));
  EXPECT_EQ(lines[5].candidates, translate("c d", {.constraints = {{"e f", {}}}, .next_words = 2}));
  EXPECT_EQ(batches, 3) << "plain lines, lines with words, and lines with next words";
}

TEST_F(TranslatorLanes, GiveOnlyTheLineWithAnErrorTheError) {
  const auto lines = answer({{"a b", "", {.next_words = 2, .prefix = "c"}},
                             {"a b", "", {.next_words = 2, .prefix = "outside"}},
                             {long_line, "", {.next_words = 2, .prefix = "c"}},
                             {"a", "", {.attention_target = "long"}},
                             {"a", "", {.attention_target = "b"}},
                             {long_line}});
  EXPECT_EQ(lines[0].candidates, translate("a b", {.constraints = {{"c", {}}}, .next_words = 2}));
  for (const auto& [line, message] : std::vector<std::pair<int, std::string>>{
           {1, "outside"}, {2, "translated in several segments"}, {3, "the line is too long"}}) {
    const auto& error = lines[static_cast<std::size_t>(line)].error;
    ASSERT_TRUE(error) << line;
    EXPECT_EQ(error->status(), 400);
    EXPECT_THAT(error->what(), HasSubstr(message));
  }
  EXPECT_EQ(lines[4].attention, "a b");
  EXPECT_GT(lines[5].segments, 1);
  EXPECT_FALSE(lines[5].error);
}

TEST_F(TranslatorLanes, GiveNoAttentionWithoutItsFunction) {
  auto model = tiny_model();
  const auto lanes =
      make_lanes(std::make_shared<Translator>(model, model.config.decoding), LaneFunctions{});
  const auto lines = (*lanes.text)({{"a", "", {.attention_target = "b"}}});
  EXPECT_EQ(lines.front().error, HttpError(400, "the model shows no attention"));
}

}  // namespace
}  // namespace tfm
