#include "tfm/translate/scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "failing_allocator.h"
#include "tfm/core/error.h"
#include "tfm/tensor/packed_weights.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;

constexpr double score_tolerance = 1e-5;  // allows for fp32 sums in a different order

DecodingConfig fp32(const TranslationModel& model) {
  auto decoding = model.config.decoding;
  decoding.precision = DecodingPrecision::fp32;
  return decoding;
}

PairScore score_one(TranslationModel& model, const std::string& source, const std::string& target) {
  return Scorer({&model}, fp32(model)).score({{source, target}}).front();
}

std::string random_line(std::mt19937& random) {
  std::string line;
  for (auto words = random() % 9; words > 0; --words)
    line += std::string(1, static_cast<char>('a' + random() % 10)) + " ";
  return line;
}

std::vector<SentencePair> random_pairs(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<SentencePair> pairs(count);
  for (auto& pair : pairs) pair = {random_line(random), random_line(random)};
  return pairs;
}

/// Returns the log-probabilities of a target, computed from the network's logits in one pass.
std::vector<float> plain_log_probs(TranslationModel& model, const std::string& source,
                                   const std::string& target) {
  const torch::NoGradGuard no_grad;
  const auto& special = model.tokenizers.target->special();
  auto source_ids = model.tokenizers.source->encode(source);
  if (model.config.data.source_eos) source_ids.push_back(model.tokenizers.source->special().eos);
  auto outputs = model.tokenizers.target->encode(target);
  auto inputs = outputs;
  inputs.insert(inputs.begin(), special.bos);
  outputs.push_back(special.eos);
  const auto logits = model.network(torch::tensor(source_ids, torch::kInt64).unsqueeze(0),
                                    torch::tensor(inputs, torch::kInt64).unsqueeze(0));
  const auto log_probs = logits.squeeze(0).log_softmax(-1);
  std::vector<float> found;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    found.push_back(log_probs[static_cast<std::int64_t>(i)][outputs[i]].item<float>());
  return found;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], score_tolerance) << "token " << i;
}

TEST(Scorer, ReturnsTheNetworksLogProbabilityOfEachTargetToken) {
  auto model = tiny_model();
  const auto score = score_one(model, "a b c", "d e");
  EXPECT_THAT(score.tokens, ElementsAre("d", "e", "</s>"));
  expect_near(score.log_probs, plain_log_probs(model, "a b c", "d e"));
  EXPECT_NEAR(score.log_prob, std::accumulate(score.log_probs.begin(), score.log_probs.end(), 0.0),
              1e-12);
}

/// Search decodes token by token with a KV cache; the Scorer computes all tokens in a single pass.
TEST(Scorer, AgreesWithTheScoresThatSearchReports) {
  auto model = tiny_model();
  {
    // Raises the bias of eos, because a network with random weights rarely produces eos.
    const torch::NoGradGuard no_grad;
    model.network->named_parameters()["output.bias"][model.tokenizers.target->special().eos] += 3;
  }
  auto decoding = fp32(model);
  decoding.beam_size = decoding.n_best = 4;
  decoding.max_length = 40;
  std::vector<std::string> lines;
  for (const auto& pair : random_pairs(12, 3)) lines.push_back(pair.source + "a");
  int ended = 0;
  const auto translations =
      Translator(model, decoding)
          .translate(lines, {.first_line = 0, .constraints = {}, .alternatives = 1});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const Candidate& candidate : translations[i].candidates) {
      const auto score = Scorer({&model}, decoding).score({{lines[i], candidate.text}}).front();
      ASSERT_LE(candidate.explanation.size(), score.tokens.size());
      for (std::size_t t = 0; t < candidate.explanation.size(); ++t) {
        EXPECT_EQ(score.tokens[t], candidate.explanation[t].piece);
        EXPECT_NEAR(score.log_probs[t], candidate.explanation[t].log_prob, score_tolerance);
      }
      // A truncated translation has no eos.
      if (candidate.explanation.size() < score.tokens.size()) continue;
      EXPECT_NEAR(score.log_prob, candidate.log_prob, 1e-4);
      ++ended;
    }
  }
  EXPECT_GE(ended, 10);
}

TEST(Scorer, ScoreDoesNotDependOnTheBatch) {
  auto model = tiny_model();
  const auto pairs = random_pairs(40, 5);
  auto decoding = fp32(model);
  const auto together = Scorer({&model}, decoding).score(pairs);
  decoding.batch_size = 30;  // small enough for several batches
  const auto apart = Scorer({&model}, decoding).score(pairs);
  ASSERT_EQ(together.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto alone = score_one(model, pairs[i].source, pairs[i].target);
    EXPECT_EQ(together[i].tokens, alone.tokens);
    expect_near(together[i].log_probs, alone.log_probs);
    expect_near(apart[i].log_probs, alone.log_probs);
  }
}

TEST(Scorer, ScoresAnEmptyTargetAsEosAlone) {
  auto model = tiny_model();
  const auto score = score_one(model, "a b", " ");
  EXPECT_THAT(score.tokens, ElementsAre("</s>"));
  expect_near(score.log_probs, plain_log_probs(model, "a b", ""));
}

TEST(Scorer, ScoresAnEmptySourceAsAnEmptySentence) {
  auto model = tiny_model();
  expect_near(score_one(model, "", "a b").log_probs, plain_log_probs(model, "", "a b"));
}

TEST(Scorer, ScoresAnEmptySourceWhenSourcesHaveNoEos) {
  auto model = tiny_model();
  model.config.data.source_eos = false;
  const auto alone = score_one(model, "", "a b");
  for (const float log_prob : alone.log_probs) EXPECT_TRUE(std::isfinite(log_prob));
  const auto among = Scorer({&model}, fp32(model)).score({{"a b c", "a"}, {"", "a b"}, {"", ""}});
  expect_near(among[1].log_probs, alone.log_probs);
  expect_near(among[0].log_probs, score_one(model, "a b c", "a").log_probs);
}

TEST(Scorer, RepairsInvalidUtf8AndReportsIt) {
  auto model = tiny_model();
  const auto score = score_one(model, "a \xFF", "b");
  EXPECT_TRUE(score.had_invalid_utf8);
  EXPECT_EQ(score.log_prob, score_one(model, "a \xEF\xBF\xBD", "b").log_prob);
  EXPECT_FALSE(score_one(model, "a", "b").had_invalid_utf8);
}

TEST(Scorer, CountsUnknownWordsOfBothSides) {
  auto model = tiny_model();
  const auto score = score_one(model, "a zebra", "b xylophone");
  EXPECT_EQ(score.unknown, 2);
  EXPECT_THAT(score.tokens, ElementsAre("b", "<unk>", "</s>"));
}

TEST(Scorer, ReturnsNoScoreWhenASideIsTooLong) {
  auto model = tiny_model();  // its data.max_length is 12, its decoding.max_length 8
  const auto words = [](int count) {
    std::string line;
    for (int i = 0; i < count; ++i) line += "a ";
    return line;
  };
  Scorer scorer({&model}, fp32(model));
  EXPECT_EQ(scorer.max_length(), 12);
  const auto scores =
      scorer.score({{words(13), "a"}, {"a b", "c"}, {"a", words(13)}, {words(12), words(12)}});
  for (const std::size_t i : {0, 2}) {
    EXPECT_TRUE(scores[i].too_long);
    EXPECT_TRUE(std::isnan(scores[i].log_prob));
    EXPECT_TRUE(scores[i].tokens.empty());
  }
  expect_near(scores[1].log_probs, score_one(model, "a b", "c").log_probs);
  EXPECT_TRUE(std::isfinite(scores[3].log_prob));
  auto decoding = fp32(model);
  decoding.max_length = 13;
  EXPECT_TRUE(
      std::isfinite(Scorer({&model}, decoding).score({{words(13), words(13)}}).front().log_prob));
}

TEST(Scorer, MaximumLengthIsLimitedByLearnedPositions) {
  auto model = tiny_model();
  model.config.model.positions = Positions::learned;
  model.config.model.max_positions = 12;
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  auto decoding = fp32(model);
  decoding.max_length = 100;
  Scorer scorer({&model}, decoding);
  EXPECT_EQ(scorer.max_length(), 11);
  EXPECT_TRUE(std::isfinite(
      scorer.score({{"a a a a a a a a a a a", "a a a a a a a a a a a"}}).front().log_prob));
}

TEST(Scorer, AveragesTheProbabilitiesOrLogProbabilitiesOfAnEnsemble) {
  auto first = tiny_model(1);
  auto second = tiny_model(2);
  auto decoding = fp32(first);
  const auto both = Scorer({&first, &second}, decoding).score({{"a b c", "d e f"}}).front();
  decoding.ensemble_mean = EnsembleMean::log_probabilities;
  const auto geometric = Scorer({&first, &second}, decoding).score({{"a b c", "d e f"}}).front();
  const auto one = score_one(first, "a b c", "d e f").log_probs;
  const auto other = score_one(second, "a b c", "d e f").log_probs;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(both.log_probs[i], std::log((std::exp(one[i]) + std::exp(other[i])) / 2),
                score_tolerance);
    EXPECT_NEAR(geometric.log_probs[i], (one[i] + other[i]) / 2, score_tolerance);
  }
}

TEST(Scorer, ThrowsWhenModelsHaveDifferentVocabularies) {
  auto first = tiny_model();
  auto second = tiny_model();
  second.tokenizers = build_tokenizers(second.config.tokenizer, {"x y"}, {"x y"});
  EXPECT_THROW(Scorer({&first, &second}, fp32(first)), ModelError);
}

TEST(Scorer, ScoresInBf16AndInt8AreCloseToFp32) {
  auto model = tiny_model();
  model.config.model.hidden_size = 64;
  model.config.model.transformer_ff = 1100;  // large enough for bf16 and int8 on every processor
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  model.network->train();
  auto decoding = fp32(model);
  const double exact = Scorer({&model}, decoding).score({{"a b c", "d e f"}}).front().log_prob;
  for (const auto precision : {DecodingPrecision::bf16, DecodingPrecision::int8}) {
    if (precision == DecodingPrecision::bf16 && !cpu_supports_bf16()) continue;
    decoding.precision = precision;
    const double found = Scorer({&model}, decoding).score({{"a b c", "d e f"}}).front().log_prob;
    EXPECT_NE(found, exact);
    EXPECT_NEAR(found, exact, 0.1);
  }
  EXPECT_TRUE(model.network->is_training()) << "the training mode is restored";
}

TEST(Scorer, AcceptsAnEmptyListOfPairs) {
  auto model = tiny_model();
  EXPECT_TRUE(Scorer({&model}, fp32(model)).score({}).empty());
}

TEST(CorpusScore, AveragesOverTheTargetTokensOfPairsThatHaveAScore) {
  CorpusScore corpus;
  EXPECT_EQ(corpus.cross_entropy(), 0);
  PairScore pair;
  pair.tokens = {"a", "</s>"};
  pair.log_prob = -std::log(8.0);
  corpus.add(pair);
  pair.tokens = {"</s>"};
  pair.log_prob = 0;
  corpus.add(pair);
  PairScore none;
  none.too_long = true;
  none.log_prob = std::numeric_limits<double>::quiet_NaN();
  corpus.add(none);
  EXPECT_EQ(corpus.pairs, 2);
  EXPECT_EQ(corpus.tokens, 3);
  EXPECT_NEAR(corpus.cross_entropy(), std::log(2.0), 1e-12);
  EXPECT_NEAR(corpus.perplexity(), 2, 1e-12);
}

TEST(Scorer, ReturnsTheSameScoresWhenALargeBatchRunsOutOfMemory) {
  auto model = tiny_model();
  const Scorer scorer({&model}, fp32(model));
  const auto pairs = random_pairs(30, 5);
  const auto expected = scorer.score(pairs);
  const FailingAllocator memory(5'000, 1);
  const auto found = scorer.score(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_NEAR(found[i].log_prob, expected[i].log_prob, score_tolerance) << i;
}

TEST(Scorer, ReportsTheShareOfTheScoredPairsAfterEachBatch) {
  auto model = tiny_model();
  auto decoding = model.config.decoding;
  decoding.batch_type = BatchType::sentences;
  decoding.batch_size = 2;
  std::vector<double> shares;
  Scorer({&model}, decoding).score(std::vector<SentencePair>(4, {"a b", "c"}), [&](double share) {
    shares.push_back(share);
  });
  EXPECT_EQ(shares, (std::vector<double>{0.5, 1}));
}

}  // namespace
}  // namespace tfm
