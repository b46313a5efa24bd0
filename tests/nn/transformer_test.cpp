#include "tfm/nn/transformer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "close_tensors.h"
#include "golden.h"
#include "model_fixture.h"

namespace tfm {
namespace {

/// Returns configs that differ in their architecture.
std::vector<ModelConfig> architectures() {
  std::vector<ModelConfig> all(12, small_config());
  all[1].norm_order = NormOrder::pre;
  all[2].norm = Norm::rms_norm;
  all[2].bias = false;
  all[3].positions = Positions::learned;
  all[3].tied_embeddings = TiedEmbeddings::decoder;
  all[4].activation = Activation::swiglu;
  all[4].tied_embeddings = TiedEmbeddings::all;
  all[5].norm_affine = false;
  all[5].activation = Activation::gelu;
  all[5].head_size = 8;
  all[6].encoder_layers = 3;
  all[6].decoder_layers = 1;
  all[6].activation = Activation::silu;
  all[7].positions = Positions::none;
  all[7].init = Init::pytorch;
  all[8].positions = Positions::rotary;
  all[8].norm_order = NormOrder::pre;
  all[9].cross_attention = CrossAttention::layerwise;
  all[9].dropout_after_sum = true;
  all[10].norm = Norm::deviation_norm;
  all[10].norm_order = NormOrder::pre;
  all[10].positions = Positions::by_token;
  all[11].positions = Positions::sinusoidal_halves;
  all[11].tied_embeddings = TiedEmbeddings::all;
  all[11].tied_output_bias = true;
  all[11].zero_start = true;
  return all;
}

/// Returns the embedding of the target tokens.
torch::Tensor target_embedding(Transformer& model) {
  const auto parameters = model->named_parameters();
  const auto* own = parameters.find("target_embedding.weight");
  return own != nullptr ? *own : parameters["source_embedding.weight"];
}

/// Returns target inputs [rows, length], which begin with the start token.
torch::Tensor random_targets(int64_t rows, int64_t length) {
  auto targets = torch::randint(3, test_vocab, {rows, length}, torch::kInt64);
  targets.select(1, 0).fill_(test_bos);
  return targets;
}

class EveryTransformer : public testing::TestWithParam<ModelConfig> {
 protected:
  Transformer model = make_model(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Transformer, EveryTransformer, testing::ValuesIn(architectures()),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(EveryTransformer, ReturnsLogitsForEveryTargetPosition) {
  const auto logits = model(ids({{3, 4, 2}, {5, 2, 0}}), ids({{1, 6, 7, 8}, {1, 9, 0, 0}}));
  EXPECT_EQ(logits.sizes(), (torch::IntArrayRef{2, 4, test_vocab}));
  EXPECT_TRUE(logits.isfinite().all().item<bool>());
}

TEST_P(EveryTransformer, IgnoresFutureTargetTokens) {
  const auto source = ids({{3, 4, 5, 2}});
  const auto logits = model(source, ids({{1, 6, 7, 8, 9}}));
  const auto changed = model(source, ids({{1, 6, 7, 10, 11}}));
  expect_close(logits.slice(1, 0, 3), changed.slice(1, 0, 3), 1e-6);
  EXPECT_GT((logits.slice(1, 3) - changed.slice(1, 3)).abs().max().item<double>(), 1e-3);
}

TEST_P(EveryTransformer, IgnoresSourcePadding) {
  const auto target = ids({{1, 6, 7}});
  const auto alone = model(ids({{3, 4, 2}}), target);
  expect_close(alone, model(ids({{3, 4, 2, 0, 0, 0}}), target));
  // A token that is not padding changes the result.
  EXPECT_GT((alone - model(ids({{3, 4, 2, 5, 0, 0}}), target)).abs().max().item<double>(), 1e-4);
}

TEST_P(EveryTransformer, GivesASentenceTheSameLogitsAloneAndInABatch) {
  const auto batch =
      model(ids({{3, 4, 5, 6, 2}, {7, 2, 0, 0, 0}}), ids({{1, 8, 9, 10}, {1, 11, 0, 0}}));
  expect_close(batch.select(0, 1).slice(0, 0, 2),
               model(ids({{7, 2}}), ids({{1, 11}})).select(0, 0));
}

TEST_P(EveryTransformer, StepsWithAContiguousCacheEqualForward) {
  const auto source = ids({{3, 4, 5, 2}, {6, 2, 0, 0}});
  // The cache first allocates 16 positions and must grow twice for a target of 40 tokens.
  const auto target = random_targets(2, 40);
  const auto expected = model(source, target);
  const auto cache = model->begin_decoding(source, {.contiguous = true});
  for (int64_t t = 0; t < target.size(1); ++t)
    expect_close(model->step(target.select(1, t), *cache), expected.select(1, t));
}

TEST_P(EveryTransformer, StepsWithAnIndirectCacheEqualForward) {
  const auto source = ids({{3, 4, 5, 2}, {6, 2, 0, 0}, {0, 0, 0, 0}});
  ASSERT_TRUE(model->supports_indirect_cache());
  const auto target = random_targets(3, 40);
  const auto expected = model(source, target);
  const torch::InferenceMode inference;
  const auto cache = model->begin_decoding(source);
  for (int64_t t = 0; t < target.size(1); ++t)
    expect_close(model->step(target.select(1, t), *cache), expected.select(1, t));
}

TEST_P(EveryTransformer, StepsOfSentencesThatJoinLaterEqualForward) {
  const auto source = ids({{3, 4, 5, 2}, {6, 2, 0, 0}, {7, 8, 9, 2}, {0, 0, 0, 0}});
  constexpr int64_t length = 12;
  const auto target = random_targets(4, length);
  const auto expected = model(source, target);
  const std::vector<int64_t> begins{0, 3, 3, 5};  // the step in which each sentence joins
  const torch::InferenceMode inference;
  const auto cache = model->begin_decoding(source.slice(0, 0, 1));
  ASSERT_TRUE(cache->can_join());
  std::vector<int64_t> rows{0};  // the sentence of each row
  for (int64_t step = 0; step < 5 + length; ++step) {
    if (step == 3) model->join(source.slice(0, 1, 3), *cache), rows.insert(rows.end(), {1, 2});
    if (step == 5) model->join(source.slice(0, 3, 4), *cache), rows.push_back(3);
    std::vector<std::int32_t> parents;
    std::vector<int64_t> kept;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (step - begins[static_cast<std::size_t>(rows[row])] == length) continue;  // it is complete
      parents.push_back(static_cast<std::int32_t>(row));
      kept.push_back(rows[row]);
    }
    if (kept != rows) cache->reorder(parents);
    rows = kept;
    std::vector<torch::Tensor> tokens;
    std::vector<torch::Tensor> logits;
    for (const auto sentence : rows) {
      const auto position = step - begins[static_cast<std::size_t>(sentence)];
      tokens.push_back(target[sentence][position]);
      logits.push_back(expected[sentence][position]);
    }
    expect_close(model->step(torch::stack(tokens), *cache), torch::stack(logits));
  }
}

TEST_P(EveryTransformer, ReturnsTheAttentionOfEveryLayerWithoutChangingTheLogits) {
  const auto source = ids({{3, 4, 2}, {5, 2, 0}});
  const auto target = ids({{1, 6, 7, 8}, {1, 9, 7, 6}});
  AttentionMaps maps;
  expect_close(model(source, target, &maps), model(source, target));
  const auto& config = GetParam();
  ASSERT_EQ(maps.encoder.size(), static_cast<size_t>(config.encoder_layers));
  ASSERT_EQ(maps.decoder.self_attention.size(), static_cast<size_t>(config.decoder_layers));
  ASSERT_EQ(maps.decoder.cross_attention.size(), static_cast<size_t>(config.decoder_layers));
  EXPECT_EQ(maps.encoder[0].sizes(), (torch::IntArrayRef{2, 4, 3, 3}));
  EXPECT_EQ(maps.decoder.self_attention[0].sizes(), (torch::IntArrayRef{2, 4, 4, 4}));
  const auto& cross = maps.decoder.cross_attention.back();
  EXPECT_EQ(cross.sizes(), (torch::IntArrayRef{2, 4, 4, 3}));
  expect_close(cross.sum(-1), torch::ones({2, 4, 4}));
  // Padding receives no attention.
  EXPECT_EQ(cross.select(0, 1).select(-1, 2).abs().max().item<double>(), 0);
  // Future tokens receive no attention.
  EXPECT_EQ(maps.decoder.self_attention[0].triu(1).abs().max().item<double>(), 0);
}

TEST(Transformer, IgnoresTheOrderOfTheSourceWithoutPositions) {
  auto config = small_config();
  config.positions = Positions::none;
  auto model = make_model(config);
  // Without positions, the decoder sees the source as a set, in which the order does not matter.
  expect_close(model(ids({{3, 4, 5, 6}}), ids({{1, 7}})),
               model(ids({{6, 4, 3, 5}}), ids({{1, 7}})));
  config.positions = Positions::sinusoidal;
  auto ordered = make_model(config);
  EXPECT_GT(
      (ordered(ids({{3, 4, 5, 6}}), ids({{1, 7}})) - ordered(ids({{6, 4, 3, 5}}), ids({{1, 7}})))
          .abs()
          .max()
          .item<double>(),
      1e-4);
}

TEST(Transformer, LayerwiseCrossAttentionChangesTheLogits) {
  auto config = small_config();
  const auto source = ids({{3, 4, 5, 6}});
  const auto target = ids({{1, 7}});
  const auto top = make_model(config)(source, target);
  config.cross_attention = CrossAttention::layerwise;
  // Both models have the same weights, but attend to different encoder layers.
  EXPECT_GT((make_model(config)(source, target) - top).abs().max().item<double>(), 1e-4);
}

TEST(Transformer, StaysFiniteForASourceOfOnlyPadding) {
  for (auto& config : architectures()) {
    auto model = make_model(config);
    model->train();
    auto logits = model(ids({{0, 0}, {3, 2}}), ids({{1, 4}, {1, 5}}));
    EXPECT_TRUE(logits.isfinite().all().item<bool>());
    logits.sum().backward();
    for (const auto& parameter : model->parameters()) {
      EXPECT_TRUE(!parameter.grad().defined() || parameter.grad().isfinite().all().item<bool>());
    }
  }
}

TEST(Transformer, SharesOneMatrixIfEmbeddingsAreTied) {
  auto config = small_config();
  const int64_t untied = make_model(config)->parameter_count();
  config.tied_embeddings = TiedEmbeddings::decoder;
  const int64_t decoder = make_model(config)->parameter_count();
  config.tied_embeddings = TiedEmbeddings::all;
  const int64_t all = make_model(config)->parameter_count();
  EXPECT_EQ(untied - decoder, test_vocab * 16 + test_vocab);  // the projection and its bias
  EXPECT_EQ(decoder - all, test_vocab * 16);
}

TEST(Transformer, TiedOutputHasABiasIfConfigured) {
  auto config = small_config();
  config.tied_embeddings = TiedEmbeddings::decoder;
  const auto source = ids({{3, 4, 2}});
  const auto target = ids({{1, 6, 7}});
  auto plain = make_model(config, 5);
  config.tied_output_bias = true;
  auto biased = make_model(config, 5);
  ASSERT_EQ(biased->parameter_count() - plain->parameter_count(), test_vocab);
  expect_close(biased(source, target), plain(source, target));  // the bias is 0 at first
  const auto bias = torch::arange(test_vocab, torch::kFloat32);
  const torch::NoGradGuard no_grad;
  biased->output_bias().copy_(bias);
  expect_close(biased(source, target), plain(source, target) + bias);
}

TEST(Transformer, DrawsTheSameWeightsFromTheSameSeed) {
  const auto a = make_model(small_config(), 5)->parameters();
  const auto b = make_model(small_config(), 5)->parameters();
  const auto c = make_model(small_config(), 6)->parameters();
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].equal(b[i]));
  EXPECT_FALSE(a[0].equal(c[0]));
}

TEST(Transformer, InitializesMatricesWithXavierAndQkvAsOneMatrix) {
  auto config = small_config();
  config.hidden_size = 64;
  for (const auto& item : make_model(config)->named_parameters()) {
    const auto& weight = item.value();
    if (item.key().find("embedding") != std::string::npos) {
      EXPECT_NEAR(weight.std().item<double>(), 1.0 / 8, 0.03) << item.key();
    } else if (weight.dim() == 2) {  // in_weight is one matrix [3D, D]
      const double bound = std::sqrt(6.0 / static_cast<double>(weight.size(0) + weight.size(1)));
      EXPECT_LE(weight.abs().max().item<double>(), bound) << item.key();
      EXPECT_NEAR(weight.std().item<double>(), bound / std::sqrt(3.0), 0.05 * bound) << item.key();
    } else if (item.key().ends_with("bias")) {
      EXPECT_TRUE(weight.eq(0).all().item<bool>()) << item.key();
    }
  }
}

/// Tests each kind of dropout separately.
TEST(Transformer, AppliesEachDropoutOnlyInTraining) {
  const std::map<std::string, double ModelConfig::*> kinds{
      {"dropout", &ModelConfig::dropout},
      {"embedding_dropout", &ModelConfig::embedding_dropout},
      {"attention_dropout", &ModelConfig::attention_dropout},
      {"activation_dropout", &ModelConfig::activation_dropout},
      {"layer_dropout", &ModelConfig::layer_dropout}};
  for (const auto& [name, probability] : kinds) {
    auto config = small_config();
    config.dropout = config.embedding_dropout = 0;
    config.*probability = 0.5;
    auto model = make_model(config);
    const auto source = ids({{3, 4, 2}});
    const auto target = ids({{1, 6}});
    const auto whole = model(source, target);
    expect_close(model(source, target), whole, 1e-7);
    model->train();
    double largest = 0;
    for (int time = 0; time < 9; ++time)
      largest = std::max(largest, (model(source, target) - whole).abs().max().item<double>());
    EXPECT_GT(largest, 1e-3) << name;
  }
}

class PyTorchParity : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Transformer, PyTorchParity, testing::ValuesIn(golden_names()),
                         [](const auto& info) { return info.param; });

TEST_P(PyTorchParity, LogitsMatchPyTorch) {
  auto golden = load_golden(GetParam());
  const auto& target = golden.tensors.at("target_input");
  const auto logits = golden.model(golden.tensors.at("source"), target);
  // Logits at target padding differ, because PyTorch's mask also hides target padding from queries
  // that are padding. No code uses these logits.
  const auto real = target.ne(0);
  expect_close(logits.index({real}), golden.tensors.at("logits").index({real}));
}

TEST(Transformer, CanStartWithZerosInsteadOfTheEmbeddingOfTheStartToken) {
  for (const auto tied : {TiedEmbeddings::none, TiedEmbeddings::decoder}) {
    auto config = small_config();
    config.tied_embeddings = tied;
    auto usual = make_model(config);
    config.zero_start = true;
    auto model = make_model(config);
    const auto source = ids({{3, 4, 2}, {5, 2, 0}});
    const auto target = ids({{test_bos, 6, 7, 8}, {test_bos, 9, 0, 0}});
    const auto logits = model(source, target);
    EXPECT_GT((usual(source, target) - logits).abs().max().item<double>(), 1e-3);
    const torch::NoGradGuard no_grad;
    target_embedding(usual)[test_bos].zero_();
    expect_close(model->hidden(source, target), usual->hidden(source, target));
    for (const bool contiguous : {false, true}) {
      const auto cache = model->begin_decoding(source, {.contiguous = contiguous});
      for (int64_t t = 0; t < 2; ++t)
        expect_close(model->step(target.select(1, t), *cache), logits.select(1, t));
    }
  }
}

TEST(Transformer, TokenDropoutAppliesBesideAStartWithZeros) {
  auto config = small_config();
  config.zero_start = true;
  auto model = make_model(config);
  const auto source = ids({{3, 4, 2}});
  const auto target = ids({{test_bos, 6, 7}});
  const auto dropped = torch::tensor({{1.F, 0.F, 1.F}});
  auto both = make_model(small_config());
  expect_close(model->hidden(source, target, nullptr, {{}, dropped}),
               both->hidden(source, target, nullptr, {{}, torch::tensor({{0.F, 0.F, 1.F}})}));
}

}  // namespace
}  // namespace tfm
