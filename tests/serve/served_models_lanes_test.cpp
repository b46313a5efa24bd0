#include <gmock/gmock.h>

#include "tfm/core/error.h"
#include "tfm/serve/served_models.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The lanes of a model with random weights.
class TranslatorLanes : public testing::Test {
 protected:
  LineTranslation answer(const LaneLine& line) { return (*lanes_.text)(line); }
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

  std::int64_t source_tokens = 0;

 private:
  TranslationModel model_ = tiny_model();
  std::shared_ptr<Translator> translator_ =
      std::make_shared<Translator>(model_, model_.config.decoding);
  ModelLanes lanes_ =
      make_lanes(translator_,
                 {.on_tokens = [this](const TokenCount& tokens) { source_tokens += tokens.source; },
                  .attention = attention});
};

const std::string long_line = "a b c d e f g h i j a b c d e f";

TEST_F(TranslatorLanes, GiveALineItsDetails) {
  const auto plain = answer({"a b"});
  EXPECT_EQ(plain.candidates, translate("a b"));
  EXPECT_TRUE(plain.words.empty());
  EXPECT_EQ(source_tokens, 3) << "with eos";
  const auto worded = answer({"a b", {}, {.words = true}});
  EXPECT_EQ(worded.candidates, plain.candidates);
  EXPECT_FALSE(worded.words.front().empty());
  const auto continued = answer({"a b", {}, {.next_words = 2, .prefix = "c"}});
  EXPECT_EQ(continued.candidates, translate("a b", {.constraints = {{"c", {}}}, .next_words = 2}));
  EXPECT_THAT(continued.text(), StartsWith("c "));
  const auto attentive = answer({"b c", {}, {.attention_target = "d"}});
  EXPECT_EQ(attentive.attention, "b c d");
  EXPECT_EQ(attentive.text(), "d");
}

TEST_F(TranslatorLanes, GiveALineThatCannotHaveItsDetailsAnError) {
  const std::vector<std::pair<LaneLine, std::string>> lines{
      {{"a b", {}, {.next_words = 2, .prefix = "outside"}}, "outside"},
      {{long_line, {}, {.next_words = 2, .prefix = "c"}}, "translated in several segments"},
      {{"a", {}, {.attention_target = "long"}}, "the line is too long"}};
  for (const auto& [line, message] : lines) {
    const auto error = answer(line).error;
    ASSERT_TRUE(error) << message;
    EXPECT_EQ(error->status(), 400);
    EXPECT_THAT(error->what(), HasSubstr(message));
  }
  const auto split = answer({long_line});
  EXPECT_GT(split.segments, 1);
  EXPECT_FALSE(split.error);
}

TEST_F(TranslatorLanes, GiveNoAttentionWithoutItsFunction) {
  auto model = tiny_model();
  const auto lanes =
      make_lanes(std::make_shared<Translator>(model, model.config.decoding), LaneFunctions{});
  const auto line = (*lanes.text)({"a", {}, {.attention_target = "b"}});
  EXPECT_EQ(line.error, HttpError(400, "the model shows no attention"));
}

}  // namespace
}  // namespace tfm
