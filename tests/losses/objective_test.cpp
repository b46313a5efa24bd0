#include "tfm/losses/objective.h"

#include <gtest/gtest.h>

#include <functional>

#include "multi_process.h"
#include "nn/model_fixture.h"
#include "tfm/config/config_file.h"
#include "tfm/core/log.h"
#include "tfm/distributed/process_group.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/tokenizer/word_tokenizer.h"
#include "training/small_run.h"

namespace tfm {
namespace {

/// Provides a small model in training mode, and a batch whose tokens are all in the vocabulary of
/// the model.
struct Objective : testing::Test {
  Objective() {
    config().label_smoothing = 0.1;
    model.config.model = small_config();
    model.config.tokenizer.kind = TokenizerKind::word;
    const std::vector<std::string> line{"e f g h i j k l m"};
    model.tokenizers.source = model.tokenizers.target =
        std::make_shared<const WordTokenizer>(Vocab::build({line}, model.config.tokenizer));
    rebuild();
  }

  TrainingConfig& config() { return model.config.training; }

  void rebuild() {
    model.network = make_model(model.config.model);
    model.network->train();
  }

  double loss() {
    torch::manual_seed(7);
    return compute_loss(model, batch).item<double>();
  }

  double plain_loss(const torch::Tensor& logits) const {
    return cross_entropy_sums(logits, batch.target_output, test_pad,
                              model.config.training.label_smoothing)
        .smoothed.item<double>();
  }

  TranslationModel model;
  Batch batch{.source = ids({{4, 5, 6, 2}, {7, 8, 2, 0}}),
              .target_input = ids({{1, 9, 10}, {1, 11, 0}}),
              .target_output = ids({{9, 10, 2}, {11, 2, 0}}),
              .indices = {0, 1},
              .lines = {1, 2}};
};

TEST_F(Objective, EqualsTheCrossEntropyByDefault) {
  EXPECT_FALSE(consistency_loss(config()).has_value());
  EXPECT_NEAR(loss(), plain_loss(model.network(batch.source, batch.target_input)), 1e-4);
}

TEST_F(Objective, CountsEachPairByItsWeight) {
  const auto all = loss();
  batch.weights = torch::tensor({1.0F, 0.0F});
  const auto first = loss();
  batch.weights = torch::tensor({0.0F, 1.0F});
  EXPECT_NEAR(first + loss(), all, 1e-4);
  EXPECT_GT(first, 0);
  EXPECT_LT(first, all);
}

TEST_F(Objective, DrawsNoRandomNumbersByDefault) {
  torch::manual_seed(5);
  const auto expected = torch::rand({3});
  torch::manual_seed(5);
  compute_loss(model, batch);
  EXPECT_TRUE(torch::rand({3}).equal(expected));
}

TEST_F(Objective, WeightsTheTermsOfRDropAsInThePaper) {
  config().r_drop = 5;
  const auto loss = consistency_loss(config());
  ASSERT_TRUE(loss.has_value());
  // The paper's loss, CE1 + CE2 + 5 / 2 (KL + KL), is twice this loss.
  EXPECT_EQ(2 * loss->first, 1);
  EXPECT_EQ(2 * loss->second, 1);
  EXPECT_EQ(2 * loss->forward, 2.5);
  EXPECT_EQ(2 * loss->backward, 2.5);
}

/// Without randomness, both passes are equal, so R-Drop equals the cross-entropy.
TEST_F(Objective, RDropWithoutDropoutEqualsTheCrossEntropy) {
  config().r_drop = 5;
  EXPECT_NEAR(loss(), plain_loss(model.network(batch.source, batch.target_input)), 1e-4);
  model.config.model.dropout = 0.3;
  rebuild();
  const double alpha_5 = loss();
  config().r_drop = 1e-9;  // the same random numbers, but a divergence of almost no weight
  EXPECT_GT(alpha_5, loss() + 0.01);
}

TEST_F(Objective, RDropEqualsTheLossOfTwoPassesOfTheModel) {
  model.config.model.dropout = 0.3;
  rebuild();
  config().r_drop = 5;
  const auto twice = [](const torch::Tensor& x) { return x.repeat({2, 1}); };
  torch::manual_seed(7);
  const auto logits = model.network(twice(batch.source), twice(batch.target_input)).chunk(2);
  EXPECT_GT((logits[0] - logits[1]).abs().max().item<double>(), 0.01)
      << "dropout must differ between the passes";
  const auto expected = consistency_loss_sums(logits[0], logits[1], batch.target_output, test_pad,
                                              *consistency_loss(config()))
                            .smoothed.item<double>();
  EXPECT_NEAR(loss(), expected, 1e-4);
}

/// The first pass has all tokens. In the second pass, the embedding of a cut token is zero, but its
/// position is still added.
TEST_F(Objective, SimCutEqualsTheLossOfAFullPassAndAPassWithCutTokens) {
  config().simcut = 3;
  config().simcut_probability = 0.5;
  torch::manual_seed(7);
  const auto source = token_dropout_mask(batch.source, 0.5, 1);
  const auto target = token_dropout_mask(batch.target_input, 0.5, 1);
  const auto whole = model.network(batch.source, batch.target_input);
  const auto cut = model.network->project(
      model.network->hidden(batch.source, batch.target_input, nullptr, {source, target}));
  ASSERT_GT((source == 0).sum().item<int64_t>(), 0);
  const auto expected = consistency_loss_sums(whole, cut, batch.target_output, test_pad,
                                              {.label_smoothing = 0.1, .first = 1, .forward = 3});
  EXPECT_NEAR(loss(), expected.smoothed.item<double>(), 1e-4);
  EXPECT_GT(loss(), plain_loss(whole) + 0.01);
}

TEST_F(Objective, SimCutGradientFlowsThroughBothPasses) {
  config().simcut = 3;
  config().simcut_probability = 0.5;
  const auto gradient = [&](const torch::Tensor& sum) {
    model.network->zero_grad();
    sum.backward();
    return model.network->output_weight().grad().clone();
  };
  torch::manual_seed(7);
  const auto found = gradient(compute_loss(model, batch));
  torch::manual_seed(7);
  const TokenDropoutMasks factors{token_dropout_mask(batch.source, 0.5, 1),
                                  token_dropout_mask(batch.target_input, 0.5, 1)};
  const auto whole = model.network(batch.source, batch.target_input);
  const auto cut = model.network->project(
      model.network->hidden(batch.source, batch.target_input, nullptr, factors));
  const ConsistencyLoss weights{.label_smoothing = 0.1, .first = 1, .forward = 3};
  const auto both =
      gradient(consistency_loss_sums(whole, cut, batch.target_output, test_pad, weights).smoothed);
  EXPECT_LT(((found - both).norm() / both.norm()).item<double>(), 1e-5);
}

TEST_F(Objective, HiddenStatesDoNotDependOnCutTokens) {
  const auto factors = torch::tensor({{1.0F, 0.0F, 1.0F, 1.0F}, {1.0F, 1.0F, 1.0F, 1.0F}});
  auto other = batch.source.clone();
  other[0][1] = 8;
  const auto a = model.network->hidden(batch.source, batch.target_input, nullptr, {factors, {}});
  const auto b = model.network->hidden(other, batch.target_input, nullptr, {factors, {}});
  EXPECT_TRUE(a.equal(b));
  EXPECT_FALSE(a.equal(model.network->hidden(batch.source, batch.target_input)));
}

TEST_F(Objective, TokenDropoutChangesTheLossWithFactorsOfMeanOne) {
  const double without = loss();
  config().token_dropout = 0.3;
  EXPECT_NE(loss(), without);
  torch::manual_seed(1);
  const auto factors = token_dropout_mask(torch::zeros({300, 400}, torch::kInt64), 0.3, 1 / 0.7);
  EXPECT_NEAR(factors.mean().item<double>(), 1, 0.02);
  EXPECT_NEAR((factors == 0).to(torch::kFloat64).mean().item<double>(), 0.3, 0.01);
}

TEST_F(Objective, LayerDropoutSkipsLayersOnlyInTraining) {
  const auto full = model.network(batch.source, batch.target_input);
  model.config.model.layer_dropout = 0.5;
  rebuild();
  int unchanged = 0;
  constexpr int draws = 200;
  for (int i = 0; i < draws; ++i)
    unchanged += model.network(batch.source, batch.target_input).equal(full) ? 1 : 0;
  EXPECT_NEAR(unchanged, draws / 16.0, 12)
      << "each stack has two layers, so one draw in sixteen keeps all four";
  model.network->eval();
  EXPECT_TRUE(model.network(batch.source, batch.target_input).equal(full));
}

// The tests below train complete runs, each with one of these options, and check properties that
// every run must have.

struct Option {
  std::string name;
  std::function<void(Config&)> set;
};

const std::vector<Option> options{
    {"RDrop", [](Config& c) { c.training.r_drop = 5; }},
    {"SimCut", [](Config& c) { c.training.simcut = 3, c.training.simcut_probability = 0.2; }},
    {"TokenDropout", [](Config& c) { c.training.token_dropout = 0.2; }},
    {"LayerDropout", [](Config& c) { c.model.layer_dropout = 0.4; }},
    {"Average", [](Config& c) { c.training.ema_decay = 0.8; }},
    {"EmbeddingRate", [](Config& c) { c.training.embedding_rate_factor = 0.3; }},
    {"BpeDropout", [](Config& c) { c.data.bpe_dropout = 0.3; }},
    {"BothDirections", [](Config& c) { c.data.bidirectional = true; }},
};

class Regulariser : public testing::TestWithParam<Option> {
 protected:
  Regulariser() {
    config.model.dropout = 0.2;
    config.tokenizer.kind = TokenizerKind::sentencepiece;
    config.tokenizer.joint = true;
    config.tokenizer.vocab_size = 30;
    config.training.best_by = BestBy::loss;
    config.training.save_steps = 7;
  }

  StateDict weights_after(const std::string& run, std::int64_t steps) {
    config.training.run_folder = folder.path(run);
    config.training.max_steps = steps;
    config.training.valid_steps = steps == 7 ? 0 : 4;
    train({.config = config, .name = "test", .resume = true});
    auto state =
        read_safetensors(CheckpointStore(folder.path(run)).list().back() / "model.safetensors")
            .tensors;
    auto best = read_safetensors(folder.path(run) / weights_file).tensors;
    for (auto& [name, tensor] : best) state["best." + name] = tensor;
    return state;
  }

  TemporaryFolder folder;
  Config config = small_run(folder);
};
INSTANTIATE_TEST_SUITE_P(Runs, Regulariser, testing::ValuesIn(options),
                         [](const auto& info) { return info.param.name; });

void expect_equal(const StateDict& a, const StateDict& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(tensor.equal(b.at(name))) << name;
}

bool same(const StateDict& a, const StateDict& b) {
  return std::ranges::all_of(a,
                             [&](const auto& item) { return item.second.equal(b.at(item.first)); });
}

TEST_P(Regulariser, ChangesTheTrainedWeights) {
  const auto plain = weights_after("plain", 12);
  GetParam().set(config);
  EXPECT_FALSE(same(weights_after("regularised", 12), plain));
}

/// The uninterrupted run makes twelve updates. The other run stops after seven updates and resumes.
TEST_P(Regulariser, ResumedRunEndsWithTheSameWeightsAsAnUninterruptedRun) {
  GetParam().set(config);
  const auto straight = weights_after("straight", 12);
  weights_after("stopped", 7);
  expect_equal(weights_after("stopped", 12), straight);
}

TEST(DISABLED_RankBody, TrainsRegularised) {
  const auto ranks = rank_environment();
  set_log_rank(ranks.rank);
  // At its end, training checks that the parameters of all ranks are equal.
  train({.config = load_config(rank_folder() / "config.yaml"), .name = "ranks", .resume = true},
        ranks);
}

TEST_P(Regulariser, RanksEndWithTheSameModelAndResumeExactly) {
  if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  GetParam().set(config);
  const auto train_with_two = [&](const std::string& run, std::int64_t steps) {
    config.training.run_folder = folder.path(run);
    config.training.max_steps = steps;
    config.training.valid_steps = 0;
    folder.write("config.yaml", write_config(config));
    EXPECT_EQ(run_ranks(2, "TrainsRegularised", folder.path()), 0);
    return read_safetensors(CheckpointStore(folder.path(run)).list().back() / "model.safetensors")
        .tensors;
  };
  const auto straight = train_with_two("straight", 10);
  train_with_two("stopped", 6);
  expect_equal(train_with_two("stopped", 10), straight);
}

class Averaging : public Regulariser {};
INSTANTIATE_TEST_SUITE_P(Runs, Averaging, testing::Values(options[4]),
                         [](const auto& info) { return info.param.name; });

/// With decay d, the average after n updates is sum d^(n-i) w_i / sum d^(n-i). The weights w_i of
/// each update come from its checkpoint.
TEST_P(Averaging, SavesTheAverageAsTheModelWithoutChangingTraining) {
  config.training.save_steps = 1;
  config.training.keep_checkpoints = 100;
  config.data.valid_source = config.data.valid_target = "";  // the last average becomes the model
  const auto plain = weights_after("plain", 6);
  GetParam().set(config);
  const auto averaged = weights_after("averaged", 6);
  StateDict mean;
  double weight = 0;
  for (const auto& checkpoint : CheckpointStore(folder.path("averaged")).list()) {
    weight = 0.8 * weight + 1;
    for (const auto& [name, tensor] : read_safetensors(checkpoint / "model.safetensors").tensors) {
      mean[name] = mean.contains(name) ? mean[name] * 0.8 + tensor : tensor.clone();
    }
  }
  for (auto& [name, tensor] : mean) {
    EXPECT_TRUE(averaged.at(name).equal(plain.at(name)))
        << "training itself must not change: " << name;
    EXPECT_TRUE(averaged.at("best." + name).allclose(tensor / weight, 1e-4, 1e-6)) << name;
    EXPECT_FALSE(averaged.at("best." + name).equal(averaged.at(name))) << name;
  }
}

}  // namespace
}  // namespace tfm
