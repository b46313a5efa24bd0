#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "captured_log.h"
#include "random_lines.h"
#include "tfm/core/error.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

DecodingConfig small_batches(const TranslationModel& model) {
  auto decoding = model.config.decoding;
  decoding.batch_type = BatchType::sentences;
  decoding.batch_size = 4;
  return decoding;
}

TEST(TranslatorRequests, OnBatchReceivesTheShareOfTheTranslatedTokens) {
  auto model = tiny_model();
  std::vector<double> shares;
  Translator(model, small_batches(model))
      .translate(random_lines(12, 5), {.on_batch = [&](double share) { shares.push_back(share); }});
  ASSERT_GE(shares.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_GT(shares.front(), 0);
  EXPECT_EQ(shares.back(), 1);
}

TEST(TranslatorRequests, KeepMarkupActsAsTheSetting) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  const std::vector<std::string> lines{"<b>a</b> b", "a &amp; b", "a"};
  const auto texts = [&](bool request) {
    std::vector<std::string> all;
    for (const auto& each : Translator(model, decoding).translate(lines, {.keep_markup = request}))
      all.push_back(each.text());
    return all;
  };
  const auto requested = texts(true);
  EXPECT_NE(requested, texts(false));
  decoding.keep_markup = true;
  EXPECT_EQ(requested, texts(false));
}

/// The lines have as many words as a segment can have with or without a tag, or more.
TEST(TranslatorRequests, SourceTagsActAsTheSettingWhateverTheOtherLinesHave) {
  auto model = tiny_model();
  auto decoding = small_batches(model);
  decoding.reproducible = true;
  const std::vector<std::string> lines{"a", "", "a b c d e f g h a b", "a b c d e f g h a b c",
                                       "a b c d e f g h a b c d e f g h a b c d e f g h"};
  std::vector<std::string> mixed;
  std::vector<std::pair<std::string, double>> expected;
  TranslationRequest request;
  for (const char* tag : {"i", "", "j"}) {
    decoding.source_tag = tag;
    for (const auto& translation : Translator(model, decoding).translate(lines))
      expected.emplace_back(translation.text(), translation.candidates.front().log_prob);
    mixed.insert(mixed.end(), lines.begin(), lines.end());
    request.tags.insert(request.tags.end(), lines.size(), {tag});
  }
  EXPECT_NE(expected[0], expected[lines.size()]);
  const Translator translator(model, decoding);
  const auto translations = translator.translate(mixed, request);
  std::vector<std::pair<std::string, double>> found;
  for (const auto& translation : translations)
    found.emplace_back(translation.text(), translation.candidates.front().log_prob);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(translations[3].parts, 2) << "a tag and eleven words do not fit";
  EXPECT_EQ(translations[lines.size() + 3].parts, 1) << "eleven words without a tag fit";
  request.tags.front().source = "unknown";
  EXPECT_THROW(translator.translate(mixed, request), ConfigError);
}

TEST(Translator, LogsThatACoveragePenaltyIsSlower) {
  auto model = tiny_model();
  const auto logged = [&](double penalty) {
    auto decoding = model.config.decoding;
    decoding.coverage_penalty = penalty;
    const CapturedLog log;
    logger()->set_level(spdlog::level::debug);
    const Translator translator(model, decoding);
    return log.text();
  };
  EXPECT_THAT(logged(0.2), HasSubstr("coverage_penalty: decoding copies keys and values"));
  EXPECT_THAT(logged(0), Not(HasSubstr("coverage_penalty")));
}

TEST(TranslatorRequests, GreedyTranslationsAreTheSameWithoutScores) {
  auto model = tiny_model();
  for (const auto precision : {DecodingPrecision::fp32, DecodingPrecision::int8}) {
    auto decoding = small_batches(model);
    decoding.beam_size = 1;
    decoding.precision = precision;
    const auto lines = random_lines(60, 5);
    const Translator translator(model, decoding);
    const auto scored = translator.translate(lines);
    const auto found = translator.translate(lines, {.scores = false});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& candidate = found[i].candidates.front();
      EXPECT_EQ(candidate.tokens, scored[i].candidates.front().tokens);
      EXPECT_TRUE(lines[i].empty() || std::isnan(candidate.score)) << lines[i];
      EXPECT_TRUE(candidate.token_log_probs.empty());
    }
    const auto words = translator.translate({"a b"}, {.scores = false, .words = true});
    EXPECT_GT(words[0].candidates[0].words.at(0).probability, 0) << "needs log-probabilities";
  }
}

TEST(TranslatorRequests, ExceptionOfOnBatchEndsTheTranslation) {
  auto model = tiny_model();
  int calls = 0;
  const auto stop = [&](double) {
    ++calls;
    throw Interrupted("stopped");
  };
  EXPECT_THROW(
      Translator(model, small_batches(model)).translate(random_lines(400, 5), {.on_batch = stop}),
      Interrupted);
  EXPECT_LT(calls, 100) << "of 100 batches";
}

TEST(TranslatorRequests, RestoredMarkupHasNoControlCharactersExceptTabs) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.keep_markup = true;
  const Translator translator(model, decoding);
  const auto text = translator
                        .translate({"a <i id=\"x\u2028y\x1c"
                                    "z\tw\">b</i> c"})
                        .front()
                        .text();
  EXPECT_THAT(text, HasSubstr("<i id=\"x y z\tw\">"));
}

}  // namespace
}  // namespace tfm
