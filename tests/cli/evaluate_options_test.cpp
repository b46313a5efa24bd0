#include "cli/evaluate_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/evaluate_command.h"
#include "parsed.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(EvaluateCommand, AcceptsAModelOrExistingTranslations) {
  const auto model =
      parsed(evaluate_command, {"evaluate", "-m", "runs/a", "--source", "a", "--reference", "b",
                                "--alignment", "c", "-o", "d", "--beam-size", "2"});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->source, "a");
  EXPECT_THAT(model->references, ElementsAre("b"));
  EXPECT_EQ(model->alignment, "c");
  EXPECT_EQ(model->output, "d");
  EXPECT_THAT(model->decoding, ElementsAre("decoding.beam_size=2"));
  const auto ready = parsed(
      evaluate_command, {"evaluate", "--hypothesis", "a", "b", "--reference", "r", "--confidence",
                         "--bootstrap-samples", "10", "--bootstrap-seed", "7"});
  ASSERT_TRUE(ready);
  EXPECT_THAT(ready->hypotheses, ElementsAre("a", "b"));
  EXPECT_TRUE(ready->confidence);
  EXPECT_EQ(ready->comparison.bootstrap.samples, 10);
  EXPECT_EQ(ready->comparison.bootstrap.seed, 7);
}

TEST(EvaluateCommand, ParsesTheBleuTokenizer) {
  const auto tokenizer = [](const std::string& name) {
    return parsed(evaluate_command,
                  {"evaluate", "--hypothesis", "a", "--reference", "r", "--tokenize", name});
  };
  EXPECT_EQ(parsed(evaluate_command, {"evaluate", "--hypothesis", "a", "--reference", "r"})
                ->comparison.bleu.tokenizer,
            BleuTokenizer::mteval_13a);
  EXPECT_EQ(tokenizer("13a")->comparison.bleu.tokenizer, BleuTokenizer::mteval_13a);
  EXPECT_EQ(tokenizer("zh")->comparison.bleu.tokenizer, BleuTokenizer::zh);
  EXPECT_EQ(tokenizer("char")->comparison.bleu.tokenizer, BleuTokenizer::character);
  EXPECT_EQ(tokenizer("intl")->comparison.bleu.tokenizer, BleuTokenizer::intl);
  EXPECT_EQ(tokenizer("none")->comparison.bleu.tokenizer, BleuTokenizer::none);
  EXPECT_FALSE(tokenizer("auto"));
  EXPECT_FALSE(tokenizer("ja-mecab"));
}

TEST(EvaluateCommand, AcceptsSeveralReferencesAndMetricOptions) {
  const auto options =
      parsed(evaluate_command, {"evaluate", "--hypothesis", "a", "--reference", "r", "--reference",
                                "s", "--lowercase", "--chrf-word-order", "2"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->references, ElementsAre("r", "s"));
  EXPECT_TRUE(options->comparison.bleu.lowercase);
  EXPECT_EQ(options->comparison.chrf.word_order, 2);
  EXPECT_FALSE(parsed(evaluate_command, {"evaluate", "--hypothesis", "a", "--reference", "r",
                                         "--chrf-word-order", "3"}));
}

TEST(EvaluateCommand, ParsesTheMetricsInTheirOrderAndTheOptionsOfTer) {
  const Arguments start{"evaluate", "--hypothesis", "a", "--reference", "r"};
  const auto with = [&](const Arguments& more) {
    auto all = start;
    all.insert(all.end(), more.begin(), more.end());
    return parsed(evaluate_command, all);
  };
  EXPECT_THAT(with({})->comparison.metrics, ElementsAre(Metric::bleu, Metric::chrf));
  const auto options = with({"--metrics", "ter", "bleu", "--ter-no-punct", "--ter-normalized"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->comparison.metrics, ElementsAre(Metric::ter, Metric::bleu));
  EXPECT_EQ(options->comparison.ter, (TerOptions{.normalized = true, .no_punct = true}));
  EXPECT_EQ(
      with({"--metrics", "ter", "--ter-asian-support", "--ter-case-sensitive"})->comparison.ter,
      (TerOptions{.asian_support = true, .case_sensitive = true}));
  EXPECT_FALSE(with({"--metrics", "meteor"}));
  EXPECT_FALSE(with({"--metrics"}));
}

TEST(EvaluateCommand, ExcludesHypothesisWithSourceAndRequiresSourceForAlignment) {
  EXPECT_FALSE(parsed(evaluate_command,
                      {"evaluate", "--source", "a", "--hypothesis", "b", "--reference", "c"}));
  EXPECT_FALSE(parsed(evaluate_command, {"evaluate", "--reference", "c", "--alignment", "a"}));
}

}  // namespace
}  // namespace tfm
