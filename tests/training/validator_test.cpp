#include "tfm/training/validator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "captured_log.h"
#include "failing_allocator.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/metrics/bleu.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

ParallelText text() {
  return {.source = {"a b", "c", "d e f"},
          .target = {"b a", "c", "f e d"},
          .line = {1, 2, 3},
          .skipped = {},
          .files = {}};
}

TEST(Validator, ComputesALossPerTokenThatDoesNotDependOnTheBatches) {
  auto model = tiny_model();
  auto config = model.config;
  const double together = Validator(config, text(), model.tokenizers).run(model).scores.loss;
  config.decoding.batch_size = 1;  // one sentence per batch
  EXPECT_NEAR(Validator(config, text(), model.tokenizers).run(model).scores.loss, together, 1e-6);
  // The model is untrained, so its distribution is about uniform.
  EXPECT_NEAR(together, std::log(static_cast<double>(model.tokenizers.target->size())), 2);
}

/// Training does not store the logits [B * T, V] of a whole batch. If a validation stored them,
/// they would take most of its memory.
TEST(Validator, NeverStoresAllLogitsOfALargeBatch) {
  std::string words;
  for (int i = 0; i < 8000; ++i) words += fmt::format("w{} ", i);
  auto model = tiny_model(1, words);
  model.config.training.valid_sentences = 1;
  const std::vector<std::string> lines(300, "w1 w22 w333 w4444 w5 w66 w777 w7888 w9 w10");
  ParallelText large{.source = lines, .target = lines, .line = {}, .skipped = {}, .files = {}};
  for (int64_t line = 1; line <= 300; ++line) large.line.push_back(line);
  const Validator validator(model.config, large, model.tokenizers);
  const double expected = validator.run(model).scores.loss;
  const FailingAllocator memory(40'000'000, 1);  // the logits of 3,300 tokens take 106 MB
  EXPECT_EQ(validator.run(model).scores.loss, expected);
  EXPECT_NEAR(expected, std::log(8000.0), 2);
}

/// The validation of a large set may take longer than the sender of a signal waits.
TEST(Validator, ThrowsInterruptedAfterASignal) {
  auto model = tiny_model();
  const Validator validator(model.config, text(), model.tokenizers);
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(validator.run(model), Interrupted);
  EXPECT_THROW(validator.probe_peak_memory(model), Interrupted);
  clear_interrupt();
  EXPECT_GT(validator.run(model).scores.loss, 0);
}

/// A dry run must reach the peak memory that a later validation of any set will need.
TEST(Validator, ProbePeakMemoryReachesThePeakOfAValidation) {
  auto model = tiny_model();
  model.config.decoding.batch_size = 40;
  const auto describe_lines = [](const std::string& most, int longer) {
    ParallelText made;
    for (std::int64_t line = 1; line <= 60; ++line) {
      std::string text = most;
      for (int i = 0; i < longer && line == 40; ++i) text.append(" c");
      made.source.push_back(text);
      made.target.push_back(text);
      made.line.push_back(line);
    }
    return made;
  };
  Validator validator(model.config, describe_lines("a b c d", 3), model.tokenizers);
  validator.add("shorter and longer", describe_lines("a b", 8), model.tokenizers);
  EXPECT_EQ(validator.line_count(), 120U);
  const auto fits = [&](std::size_t most, auto work) {
    const CapturedLog log;  // contains "out of memory" if a batch was halved
    const FailingAllocator memory(most, 1);
    try {
      work();
      return log.text().find("out of memory") == std::string::npos;
    } catch (const std::exception&) {
      return false;
    }
  };
  validator.run(model);  // fills caches, such as the positional encodings
  std::size_t least = 64;
  while (!fits(least, [&] { validator.run(model); })) least += 64;
  EXPECT_GT(least, 1000U);
  EXPECT_TRUE(fits(least, [&] { validator.probe_peak_memory(model); })) << least;
  EXPECT_FALSE(fits(least - 64, [&] { validator.probe_peak_memory(model); })) << least;
}

TEST(Validator, ComputesTheSameLossAsTheScorer) {
  auto model = tiny_model();
  model.config.decoding.precision = DecodingPrecision::fp32;
  const auto pairs = text();
  CorpusScore corpus;
  Scorer scorer({&model}, model.config.decoding);
  for (std::size_t i = 0; i < pairs.source.size(); ++i)
    corpus.add(scorer.score({{pairs.source[i], pairs.target[i]}}).front());
  EXPECT_NEAR(corpus.cross_entropy(),
              Validator(model.config, pairs, model.tokenizers).run(model).scores.loss, 1e-5);
}

/// Shortlists are made for finished models. During training, there is none yet, or one for an
/// earlier vocabulary.
TEST(Validator, IgnoresTheShortlistOfTheConfig) {
  auto model = tiny_model();
  model.config.decoding.shortlist = "auto";
  EXPECT_EQ(Validator(model.config, text(), model.tokenizers).run(model).hypotheses.size(), 3U);
}

TEST(Validator, ScoresTheOutputOfTheTranslator) {
  auto model = tiny_model();
  const auto validation = Validator(model.config, text(), model.tokenizers).run(model);
  std::vector<std::string> expected;
  for (const auto& translation : Translator(model, model.config.decoding).translate(text().source))
    expected.push_back(translation.text());
  EXPECT_EQ(validation.hypotheses, expected);
  EXPECT_EQ(validation.scores.bleu, corpus_bleu(expected, text().target).score);
}

TEST(Validator, ChoosesTheBleuTokenizerByTheReferencesOfEachSet) {
  auto model = tiny_model();
  auto chinese = text();
  chinese.target = {"我喜欢", "苹果", "他在北京"};
  Validator validator(model.config, text(), model.tokenizers);
  validator.add("chinese", chinese, model.tokenizers);
  const auto validation = validator.run(model);
  EXPECT_EQ(validation.scores.bleu_tokenizer, BleuTokenizer::mteval_13a);
  EXPECT_EQ(validation.extra_sets.at(0).second.bleu_tokenizer, BleuTokenizer::zh);
}

TEST(Validator, ComputesBleuWithTheTokenizerOfTheConfig) {
  auto model = tiny_model();
  model.config.training.bleu_tokenizer = BleuTokenizer::character;
  const auto validation = Validator(model.config, text(), model.tokenizers).run(model);
  EXPECT_EQ(validation.scores.bleu_tokenizer, BleuTokenizer::character);
  EXPECT_EQ(validation.scores.bleu, corpus_bleu(validation.hypotheses, text().target,
                                                {.tokenizer = BleuTokenizer::character})
                                        .score);
}

TEST(Validator, LimitsTheTranslatedLinesToTheFieldValidSentences) {
  auto model = tiny_model();
  model.config.training.valid_sentences = 2;
  EXPECT_EQ(Validator(model.config, text(), model.tokenizers).run(model).hypotheses.size(), 2U);
}

TEST(Validator, TakesItsSamplesFromLinesSpreadOverTheSet) {
  auto model = tiny_model();
  model.config.training.valid_samples = 2;
  const auto validation = Validator(model.config, text(), model.tokenizers).run(model);
  ASSERT_EQ(validation.samples.size(), 2u);
  EXPECT_EQ(validation.samples[0].source, "a b");
  EXPECT_EQ(validation.samples[1].source, "c");
  EXPECT_EQ(validation.samples[1].reference, "c");
  EXPECT_EQ(validation.samples[1].hypothesis, validation.hypotheses[1]);
}

TEST(Validator, ReportsTheScoresOfExtraSetsByName) {
  auto model = tiny_model();
  ParallelText other{.source = {"f e"}, .target = {"e f"}, .line = {1}, .skipped = {}, .files = {}};
  const auto alone = Validator(model.config, other, model.tokenizers).run(model);
  Validator validator(model.config, text(), model.tokenizers);
  const auto before = validator.run(model);
  validator.add("other", other, model.tokenizers);
  const auto both = validator.run(model);
  EXPECT_EQ(both.scores.loss, before.scores.loss)
      << "another set does not change the scores of the first";
  EXPECT_EQ(both.scores.bleu, before.scores.bleu);
  EXPECT_THAT(both.extra_sets, testing::ElementsAre(testing::Pair("other", alone.scores)));
}

}  // namespace
}  // namespace tfm
