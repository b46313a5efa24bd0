#include "tfm/translate/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "captured_log.h"
#include "failing_allocator.h"
#include "random_lines.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/out_of_memory.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/alignment.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;

DecodingConfig reproducible(const TranslationModel& model) {
  auto decoding = model.config.decoding;
  decoding.reproducible = true;
  return decoding;
}

TEST(Translator, ThrowsInterruptedAfterASignalOnlyWhenTheRequestIsInterruptible) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(translator.translate({"a b"}, {.interruptible = true}), Interrupted);
  EXPECT_EQ(translator.translate({"a b"}).size(), 1U) << "not interruptible by default";
  clear_interrupt();
}

TEST(Translator, TranslatesEachLineIndependentlyAndInOrder) {
  auto model = tiny_model();
  for (const int64_t beam : {1, 3}) {
    auto decoding = model.config.decoding;
    decoding.beam_size = beam;
    decoding.batch_size = 40;  // small enough for several batches
    Translator translator(model, decoding);
    const auto lines = random_lines(30, 5);
    const auto together = texts(translator.translate(lines));
    ASSERT_EQ(together.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      EXPECT_EQ(together[i], texts(translator.translate({lines[i]})).front()) << lines[i];
  }
}

/// Each thread's lines have markup, which must not appear in the results of the other thread.
TEST(Translator, CanBeUsedBySeveralThreadsAtOnce) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.keep_markup = true;
  decoding.reproducible = true;
  const Translator translator(model, decoding);
  std::vector<std::vector<std::string>> lines(2);
  for (std::size_t i = 0; i < 20; ++i) {
    lines[0].push_back("a <b>b c</b> d");
    lines[1].push_back(i % 2 == 0 ? "e f g" : "<i>h</i> a {x}");
  }
  std::vector<std::vector<std::string>> expected(2), found(2);
  for (std::size_t i = 0; i < 2; ++i) expected[i] = texts(translator.translate(lines[i]));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 2; ++i)
      threads.emplace_back([&, i] { found[i] = texts(translator.translate(lines[i])); });
  }
  EXPECT_EQ(found, expected);
}

TEST(Translator, HalvesABatchWhenMemoryRunsOut) {
  auto model = tiny_model();
  const Translator translator(model, reproducible(model));
  const auto lines = random_lines(30, 5);
  const auto expected = texts(translator.translate(lines));
  const CapturedLog log;
  const FailingAllocator memory(4'000, 1);  // a line's queries, keys and values need 2,304 bytes
  EXPECT_EQ(texts(translator.translate(lines)), expected);
  EXPECT_NE(log.text().find("out of memory in a batch of"), std::string::npos);
}

TEST(Translator, ReturnsAllLinesOrThrowsWhenEveryKthAllocationFails) {
  const ThreadCountGuard one_thread(1);
  auto model = tiny_model();
  const Translator translator(model, reproducible(model));
  const auto lines = random_lines(8, 5);
  const auto expected = texts(translator.translate(lines));
  const CapturedLog log;
  for (const int k : {1, 2, 3, 5, 10, 50, 200, 500, 1000, 100'000'000}) {
    const FailingAllocator memory(0, k);
    try {
      EXPECT_EQ(texts(translator.translate(lines)), expected) << "every " << k;
    } catch (const std::exception& error) {
      EXPECT_TRUE(is_out_of_memory(error)) << error.what();
    }
  }
}

TEST(Translator, AlignsWithTheConfiguredHeadWhenRequested) {
  auto model = tiny_model();
  model.config.decoding.alignment_head = "0:0";
  auto decoding = model.config.decoding;
  decoding.reproducible = true;
  decoding.alignment_head = "1:1";
  const auto lines = random_lines(10, 7);
  const Translator translator(model, decoding);
  TranslationRequest request;
  request.alignment = true;
  const auto aligned = translator.translate(lines, request);
  auto expected = translator.translate(lines);
  for (const auto& translation : expected)
    EXPECT_TRUE(translation.candidates.front().alignment.empty());
  align(model, expected, {1, 1, false}, decoding);
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(format_pharaoh(aligned[i].candidates.front().alignment),
              format_pharaoh(expected[i].candidates.front().alignment));
}

TEST(Translator, ReturnsEmptyTranslationsForEmptyLines) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  const auto translations = translator.translate({"", "a b", "   ", "\t"});
  EXPECT_EQ(translations[0].text(), "");
  EXPECT_NE(translations[1].text(), "");
  EXPECT_EQ(translations[2].text(), "");
  EXPECT_EQ(translations[3].text(), "");
  EXPECT_TRUE(translator.translate({}).empty());
}

TEST(Translator, TranslatesALongLineInSegmentsAndJoinsTheirTranslations) {
  auto model = tiny_model();  // its source segments have at most 12 tokens, including eos
  Translator translator(model, model.config.decoding);
  std::string line;
  for (int i = 0; i < 22; ++i) line += std::string(1, static_cast<char>('a' + i % 10)) + " ";
  const auto whole = translator.translate({line}).front();
  EXPECT_EQ(whole.parts, 2);
  const auto halves = texts(translator.translate({line.substr(0, 22), line.substr(22)}));
  EXPECT_EQ(whole.text(), halves[0] + " " + halves[1]);
}

TEST(Translator, ReportsWordsThatTheVocabularyDoesNotCover) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  EXPECT_THAT(translator.translate({"a zebra b xylophone"}).front().unknown,
              ElementsAre("zebra", "xylophone"));
}

TEST(Translator, RepairsInvalidUtf8AndReportsIt) {
  auto model = tiny_model();
  Translator translator(model, model.config.decoding);
  const auto translations = translator.translate({"a \xC3( b", "a b"});
  EXPECT_TRUE(translations[0].had_invalid_utf8);
  EXPECT_FALSE(translations[1].had_invalid_utf8);
}

TEST(Translator, OrdersCandidatesByScore) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.beam_size = decoding.n_best = 4;
  const auto translation = Translator(model, decoding).translate({"a b c"}).front();
  ASSERT_EQ(translation.candidates.size(), 4U);
  EXPECT_TRUE(std::is_sorted(translation.candidates.begin(), translation.candidates.end(),
                             [](const auto& a, const auto& b) { return a.score > b.score; }));
}

TEST(Translator, RestoresTheTrainingModeOfANetwork) {
  auto model = tiny_model();
  model.network->train();
  Translator(model, model.config.decoding).translate({"a"});
  EXPECT_TRUE(model.network->is_training());
}

TEST(Translator, NeverProducesSpecialTokens) {
  auto model = tiny_model();
  for (const auto& translation :
       Translator(model, model.config.decoding).translate(random_lines(20, 9))) {
    for (const auto& token : translation.candidates.front().tokens)
      EXPECT_EQ(token.find('<'), std::string::npos) << token;
  }
}

TEST(Translator, EndsTranslationsAtTheStopToken) {
  auto model = tiny_model();
  const auto lines = random_lines(40, 9);
  auto decoding = model.config.decoding;
  decoding.beam_size = 1;
  const auto free = texts(Translator(model, decoding).translate(lines));
  const auto longest = *std::ranges::max_element(free, {}, &std::string::size);
  const char stop_letter =
      longest[longest.size() / 4 * 2];  // letters have even indices, spaces odd ones
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

TEST(Translator, ThrowsWhenTheStopTokenIsNotInTheVocabulary) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.stop_token = "zz";
  EXPECT_THROW(Translator(model, decoding), ConfigError);
}

TEST(Translator, ThrowsWhenThePrefixContainsTheStopToken) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.stop_token = "a";
  decoding.target_prefix = "b a";
  Translator translator(model, decoding);
  EXPECT_THROW(translator.translate({"a b"}), DataError);
}

std::vector<std::string> all_texts(const Translation& translation) {
  std::vector<std::string> result;
  for (const auto& candidate : translation.candidates) result.push_back(candidate.text);
  return result;
}

TEST(Translator, SamplesDependOnTheLineNumberButNotOnTheBatch) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.sampling = true;
  decoding.n_best = 3;
  decoding.batch_size = 40;
  Translator translator(model, decoding);
  const auto lines = random_lines(20, 5);
  const auto together = translator.translate(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    TranslationRequest request;
    request.first_line = static_cast<int64_t>(i);
    EXPECT_EQ(all_texts(translator.translate({lines[i]}, request).front()), all_texts(together[i]));
  }
  const auto twice = translator.translate({"a b c", "a b c"});
  EXPECT_NE(all_texts(twice[0]), all_texts(twice[1])) << "equal lines have different samples";
}

TEST(Translator, TranslationsStartWithThePrefixOfTheConfigOrOfTheLine) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.target_prefix = "j i";
  // The second line is split into two segments.
  const std::vector<std::string> lines{"a b", "c d e f g h i j a b c d e f", ""};
  TranslationRequest request;
  request.constraints = {{}, {"h h h", {}}, {"h", {}}};
  for (const int64_t beam : {1, 4}) {
    decoding.beam_size = beam;
    const auto found = texts(Translator(model, decoding).translate(lines, request));
    EXPECT_THAT(found[0], testing::StartsWith("j i"));
    EXPECT_THAT(found[1], testing::StartsWith("h h h"));
    EXPECT_EQ(found[2], "");
  }
}

TEST(Translator, IncludesForcedPhrasesAndExcludesForbiddenOnes) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.forced_phrases = {"i j"};
  decoding.forbidden_phrases = {"a", "b c", "zebra"};
  const auto lines = random_lines(20, 3);
  TranslationRequest request;
  request.constraints.assign(lines.size(), {"", {"g"}});
  const auto found = texts(Translator(model, decoding).translate(lines, request));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (found[i].empty()) continue;
    EXPECT_THAT(found[i], testing::HasSubstr("i j"));
    EXPECT_THAT(found[i], testing::HasSubstr("g"));
    EXPECT_THAT(found[i],
                testing::Not(testing::AnyOf(testing::HasSubstr("a"), testing::HasSubstr("b c"))));
  }
}

TEST(Translator, ThrowsWhenConstraintsCannotBeSatisfied) {
  auto model = tiny_model();  // its translations have at most 8 tokens
  auto decoding = model.config.decoding;
  decoding.target_prefix = "a zebra";
  EXPECT_THROW(Translator(model, decoding), ConfigError);
  decoding.target_prefix = "";
  decoding.forced_phrases = {"zebra"};
  EXPECT_THROW(Translator(model, decoding), ConfigError);
  Translator translator(model, model.config.decoding);
  TranslationRequest request;
  request.first_line = 6;
  for (const LineConstraints& constraints :
       {LineConstraints{"zebra", {}}, LineConstraints{"", {"a zebra"}},
        LineConstraints{"a b c d", {"e f g", "h i"}}}) {
    request.constraints = {constraints};
    try {
      translator.translate({"a"}, request);
      ADD_FAILURE() << "accepted";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("line 7"));
    }
  }
}

TEST(Translator, ExplainsEachTokenAndEosWhenAlternativesAreRequested) {
  auto model = tiny_model();
  TranslationRequest request;
  request.alternatives = 3;
  for (const auto& translation :
       Translator(model, model.config.decoding).translate(random_lines(10, 3), request)) {
    const auto& best = translation.candidates.front();
    double sum = 0;
    for (const auto& token : best.explanation) {
      sum += token.log_prob;
      EXPECT_EQ(token.alternatives.size(), 3U);
      for (const auto& [piece, log_prob] : token.alternatives) EXPECT_NE(piece, token.piece);
    }
    EXPECT_NEAR(sum, best.log_prob, 1e-4);
    EXPECT_GE(best.explanation.size(), best.tokens.size());
  }
  EXPECT_TRUE(Translator(model, model.config.decoding)
                  .translate({"a"})
                  .front()
                  .candidates.front()
                  .explanation.empty());
}

TEST(Translator, CoveragePenaltyDoesNotDependOnTheBatch) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.coverage_penalty = 0.5;
  Translator translator(model, decoding);
  const auto lines = random_lines(20, 5);
  const auto together = translator.translate(lines);
  bool moved = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& best = together[i].candidates.front();
    const auto alone = translator.translate({lines[i]}).front();
    EXPECT_EQ(alone.text(), best.text);
    EXPECT_NEAR(alone.candidates.front().score, best.score, 1e-4);
    moved |= best.score < best.log_prob / static_cast<double>(best.tokens.size() + 1) - 1e-3;
  }
  EXPECT_TRUE(moved) << "the penalty must affect the score";
}

}  // namespace
}  // namespace tfm
