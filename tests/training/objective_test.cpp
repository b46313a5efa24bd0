#include "tfm/training/objective.h"

#include <gtest/gtest.h>

#include "nn/model_fixture.h"
#include "tfm/text/word_tokenizer.h"

namespace tfm {
namespace {

/// A small model in training mode, and a batch that it knows every token of.
struct Objective : testing::Test {
  Objective() {
    config().label_smoothing = 0.1;
    model.config.model = small_config();
    model.config.tokenizer.kind = TokenizerKind::word;
    const std::vector<std::string> line{"e f g h i j k l m"};
    model.tokenizers.source = model.tokenizers.target = std::make_shared<const WordTokenizer>(Vocab::build({line}, model.config.tokenizer));
    rebuild();
  }

  TrainingConfig& config() { return model.config.training; }

  void rebuild() {
    model.network = make_model(model.config.model);
    model.network->train();
  }

  double loss() {
    torch::manual_seed(7);
    return batch_loss(model, batch).item<double>();
  }

  double plain_loss(const torch::Tensor& logits) const {
    return cross_entropy_sums(logits, batch.target_output, test_pad, model.config.training.label_smoothing).smoothed.item<double>();
  }

  TranslationModel model;
  Batch batch{.source = ids({{4, 5, 6, 2}, {7, 8, 2, 0}}),
              .target_input = ids({{1, 9, 10}, {1, 11, 0}}),
              .target_output = ids({{9, 10, 2}, {11, 2, 0}}),
              .indices = {0, 1}};
};

TEST_F(Objective, IsTheCrossEntropyByDefault) {
  EXPECT_FALSE(pair_loss(config()).has_value());
  EXPECT_NEAR(loss(), plain_loss(model.network(batch.source, batch.target_input)), 1e-4);
}

TEST_F(Objective, DrawsNoRandomNumberByDefault) {
  torch::manual_seed(5);
  const auto expected = torch::rand({3});
  torch::manual_seed(5);
  batch_loss(model, batch);
  EXPECT_TRUE(torch::rand({3}).equal(expected));
}

TEST_F(Objective, WeighsRDropAsItsPaperDoes) {
  config().r_drop = 5;
  const auto loss = pair_loss(config());
  ASSERT_TRUE(loss.has_value());
  // Twice the loss is the paper's: CE1 + CE2 + 5 / 2 (KL + KL).
  EXPECT_EQ(2 * loss->first, 1);
  EXPECT_EQ(2 * loss->second, 1);
  EXPECT_EQ(2 * loss->forward, 2.5);
  EXPECT_EQ(2 * loss->backward, 2.5);
}

/// With nothing random both passes are one: R-Drop is the cross-entropy.
TEST_F(Objective, RDropWithoutDropoutIsTheCrossEntropy) {
  config().r_drop = 5;
  EXPECT_NEAR(loss(), plain_loss(model.network(batch.source, batch.target_input)), 1e-4);
  model.config.model.dropout = 0.3;
  rebuild();
  const double alpha_5 = loss();
  config().r_drop = 1e-9;  // the same draws, without the divergence
  EXPECT_GT(alpha_5, loss() + 0.01);
}

TEST_F(Objective, RDropEqualsTwoPassesOfTheModel) {
  model.config.model.dropout = 0.3;
  rebuild();
  config().r_drop = 5;
  const auto twice = [](const torch::Tensor& x) { return x.repeat({2, 1}); };
  torch::manual_seed(7);
  const auto logits = model.network(twice(batch.source), twice(batch.target_input)).chunk(2);
  EXPECT_GT((logits[0] - logits[1]).abs().max().item<double>(), 0.01) << "dropout must differ between the passes";
  const auto expected = pair_loss_sums(logits[0], logits[1], batch.target_output, test_pad, *pair_loss(config())).smoothed.item<double>();
  EXPECT_NEAR(loss(), expected, 1e-4);
}

/// The first pass sees everything; in the second a cut token's embedding is zero and its position remains, as if its row of the matrix were zero.
TEST_F(Objective, SimCutEqualsAPassOverCutEmbeddings) {
  config().simcut = 3;
  config().cut_probability = 0.5;
  torch::manual_seed(7);
  const auto source = token_factors(batch.source, 0.5, 1);
  const auto target = token_factors(batch.target_input, 0.5, 1);
  const auto whole = model.network(batch.source, batch.target_input);
  const auto cut = model.network->project(model.network->hidden(batch.source, batch.target_input, nullptr, {source, target}));
  ASSERT_GT((source == 0).sum().item<int64_t>(), 0);
  const auto expected = pair_loss_sums(whole, cut, batch.target_output, test_pad, {.label_smoothing = 0.1, .first = 1, .forward = 3});
  EXPECT_NEAR(loss(), expected.smoothed.item<double>(), 1e-4);
  EXPECT_GT(loss(), plain_loss(whole) + 0.01);
}

TEST_F(Objective, SimCutsGradientFlowsThroughBothPasses) {
  config().simcut = 3;
  config().cut_probability = 0.5;
  const auto gradient = [&](const torch::Tensor& sum) {
    model.network->zero_grad();
    sum.backward();
    return model.network->output_weight().grad().clone();
  };
  torch::manual_seed(7);
  const auto found = gradient(batch_loss(model, batch));
  torch::manual_seed(7);
  const EmbeddingFactors factors{token_factors(batch.source, 0.5, 1), token_factors(batch.target_input, 0.5, 1)};
  const auto whole = model.network(batch.source, batch.target_input);
  const auto cut = model.network->project(model.network->hidden(batch.source, batch.target_input, nullptr, factors));
  const PairLoss weights{.label_smoothing = 0.1, .first = 1, .forward = 3};
  const auto both = gradient(pair_loss_sums(whole, cut, batch.target_output, test_pad, weights).smoothed);
  EXPECT_LT(((found - both).norm() / both.norm()).item<double>(), 1e-5);
}

TEST_F(Objective, CutTokensLeaveNoTraceOfWhichTheyWere) {
  const auto factors = torch::tensor({{1.0F, 0.0F, 1.0F, 1.0F}, {1.0F, 1.0F, 1.0F, 1.0F}});
  auto other = batch.source.clone();
  other[0][1] = 8;
  const auto a = model.network->hidden(batch.source, batch.target_input, nullptr, {factors, {}});
  const auto b = model.network->hidden(other, batch.target_input, nullptr, {factors, {}});
  EXPECT_TRUE(a.equal(b));
  EXPECT_FALSE(a.equal(model.network->hidden(batch.source, batch.target_input)));
}

TEST_F(Objective, TokenDropoutChangesTheLossAndKeepsTheMean) {
  const double without = loss();
  config().token_dropout = 0.3;
  EXPECT_NE(loss(), without);
  torch::manual_seed(1);
  const auto factors = token_factors(torch::zeros({300, 400}, torch::kInt64), 0.3, 1 / 0.7);
  EXPECT_NEAR(factors.mean().item<double>(), 1, 0.02);
  EXPECT_NEAR((factors == 0).to(torch::kFloat64).mean().item<double>(), 0.3, 0.01);
}

TEST_F(Objective, LayerDropoutLeavesLayersOutInTrainingAlone) {
  const auto full = model.network(batch.source, batch.target_input);
  model.config.model.layer_dropout = 0.5;
  rebuild();
  int unchanged = 0;
  constexpr int draws = 200;
  for (int i = 0; i < draws; ++i) unchanged += model.network(batch.source, batch.target_input).equal(full) ? 1 : 0;
  EXPECT_NEAR(unchanged, draws / 16.0, 12) << "two layers of each stack, all kept in one draw of sixteen";
  model.network->eval();
  EXPECT_TRUE(model.network(batch.source, batch.target_input).equal(full));
}

}  // namespace
}  // namespace tfm
