#include "tfm/training/validator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tfm/metrics/bleu.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

ParallelText text() { return {.source = {"a b", "c", "d e f"}, .target = {"b a", "c", "f e d"}, .line = {1, 2, 3}, .skipped = {}, .files = {}}; }

TEST(Validator, MeasuresLossPerTokenWhateverTheBatches) {
  auto model = tiny_model();
  auto config = model.config;
  const double together = Validator(config, text(), model.tokenizers).run(model).loss;
  config.decoding.batch_size = 1;  // a batch a sentence
  EXPECT_NEAR(Validator(config, text(), model.tokenizers).run(model).loss, together, 1e-6);
  EXPECT_NEAR(together, std::log(static_cast<double>(model.tokenizers.target->size())), 2);  // untrained: about uniform
}

TEST(Validator, MeasuresTheLossThatTheScorerMeasures) {
  auto model = tiny_model();
  model.config.decoding.precision = DecodingPrecision::fp32;
  const auto pairs = text();
  CorpusScore corpus;
  Scorer scorer({&model}, model.config.decoding);
  for (std::size_t i = 0; i < pairs.source.size(); ++i) corpus.add(scorer.score({{pairs.source[i], pairs.target[i]}}).front());
  EXPECT_NEAR(corpus.cross_entropy(), Validator(model.config, pairs, model.tokenizers).run(model).loss, 1e-5);
}

/// Which is made of finished models: there is none yet, or one of an earlier vocabulary.
TEST(Validator, NeedsNoShortlist) {
  auto model = tiny_model();
  model.config.decoding.shortlist = "auto";
  EXPECT_EQ(Validator(model.config, text(), model.tokenizers).run(model).hypotheses.size(), 3U);
}

TEST(Validator, ScoresWhatTheTranslatorSays) {
  auto model = tiny_model();
  const auto validation = Validator(model.config, text(), model.tokenizers).run(model);
  std::vector<std::string> expected;
  for (const auto& translation : Translator(model, model.config.decoding).translate(text().source)) expected.push_back(translation.text());
  EXPECT_EQ(validation.hypotheses, expected);
  EXPECT_EQ(validation.bleu, corpus_bleu(expected, text().target).score);
}

TEST(Validator, TranslatesNoMoreLinesThanAsked) {
  auto model = tiny_model();
  model.config.training.valid_sentences = 2;
  EXPECT_EQ(Validator(model.config, text(), model.tokenizers).run(model).hypotheses.size(), 2U);
}

TEST(Validator, ShowsTheSameLinesSpreadOverTheText) {
  auto model = tiny_model();
  model.config.training.valid_samples = 2;
  const auto validation = Validator(model.config, text(), model.tokenizers).run(model);
  ASSERT_EQ(validation.samples.size(), 2u);
  EXPECT_EQ(validation.samples[0].source, "a b");
  EXPECT_EQ(validation.samples[1].source, "c");
  EXPECT_EQ(validation.samples[1].reference, "c");
  EXPECT_EQ(validation.samples[1].hypothesis, validation.hypotheses[1]);
}

TEST(Validator, ScoresFurtherSetsByTheirNames) {
  auto model = tiny_model();
  ParallelText other{.source = {"f e"}, .target = {"e f"}, .line = {1}, .skipped = {}, .files = {}};
  const auto alone = Validator(model.config, other, model.tokenizers).run(model);
  Validator validator(model.config, text(), model.tokenizers);
  const auto before = validator.run(model);
  validator.add("other", other, model.tokenizers);
  const auto both = validator.run(model);
  EXPECT_EQ(both.loss, before.loss) << "the first decides as it did";
  EXPECT_EQ(both.bleu, before.bleu);
  ASSERT_EQ(both.others.size(), 1u);
  EXPECT_EQ(both.others[0].name, "other");
  EXPECT_EQ(both.others[0].loss, alone.loss);
  EXPECT_EQ(both.others[0].chrf, alone.chrf);
}

TEST(Validation, HigherScoresAreBetterWhateverIsMeasured) {
  Validation good{.loss = 1, .bleu = 30, .chrf = 60, .hypotheses = {}};
  Validation bad{.loss = 2, .bleu = 20, .chrf = 50, .hypotheses = {}};
  for (const auto by : {BestBy::bleu, BestBy::chrf, BestBy::loss}) EXPECT_GT(good.score(by), bad.score(by));
}

}  // namespace
}  // namespace tfm
