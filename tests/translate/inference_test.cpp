#include "translate/inference.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/translate/precision.h"
#include "tiny_model.h"

namespace tfm {
namespace {

DecodingConfig in(DecodingPrecision precision) {
  DecodingConfig decoding;
  decoding.precision = precision;
  return decoding;
}

TEST(UsedPrecision, NamesTheTypeThatTheModelComputesIn) {
  auto model = tiny_model();
  EXPECT_EQ(used_precision(model, in(DecodingPrecision::fp32)), "fp32");
  EXPECT_EQ(used_precision(model, in(DecodingPrecision::int8)), "int8");
  EXPECT_EQ(used_precision(model, in(DecodingPrecision::automatic)), "fp32") << "a narrow model";
}

TEST(UsedPrecision, RefusesFp16OnTheCpu) {
  const auto model = tiny_model();
  EXPECT_THROW(used_precision(model, in(DecodingPrecision::fp16)), ConfigError);
}

TEST(Inference, PacksTheWeightsOfEachModelOnTheCpu) {
  auto one = tiny_model(1), two = tiny_model(2);
  const Inference inference({&one, &two}, in(DecodingPrecision::fp32));
  EXPECT_TRUE(inference.packs_weights());
  EXPECT_FALSE(inference.batch_invariant());
  for (const std::size_t model : {0, 1}) {
    EXPECT_NE(inference.context(model).packed, nullptr);
    EXPECT_EQ(inference.context(model).casts, nullptr);
  }
  EXPECT_NE(inference.context(0).packed, inference.context(1).packed);
}

TEST(Inference, PackedWeightsMultiplyLikeTheModelsOwnWeights) {
  auto model = tiny_model();
  const Inference inference({&model}, in(DecodingPrecision::fp32));
  const auto part = model.network->output_part();
  const Inference::Use use(inference);
  const auto x = torch::randn({3, model.config.model.hidden_size});
  const auto expected = torch::nn::functional::linear(x, part.weight, part.bias);
  EXPECT_TRUE(inference.context(0).packed->multiply(x, part).allclose(expected, 1e-4, 1e-5));
}

/// Returns whether a product with the model's largest weight is computed in fp32, without the
/// rounding of bf16.
bool multiplies_in_fp32(const Inference& inference, TranslationModel& model) {
  const auto parts = model.network->linear_parts();
  const auto part = *std::ranges::max_element(
      parts, {}, [](const LinearPart& each) { return each.weight.numel(); });
  const Inference::Use use(inference);
  const auto x = torch::randn({3, part.weight.size(1)});
  const auto expected =
      torch::nn::functional::linear(x, part.weight_rows(), part.bias_rows()).to(torch::kFloat32);
  return inference.context(0)
      .packed->multiply(x, part)
      .to(torch::kFloat32)
      .allclose(expected, /*rtol=*/1e-4, /*atol=*/1e-5);
}

TEST(Inference, UsesFp32InsteadOfBf16WhenBatchInvariant) {
  if (!cpu_supports_bf16()) GTEST_SKIP() << "this processor does not support bf16";
  auto model = tiny_model();
  model.config.model.transformer_ff = 8192;  // small matrices are multiplied in fp32 anyway
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  const auto decoding = in(DecodingPrecision::bf16);
  EXPECT_FALSE(multiplies_in_fp32(Inference({&model}, decoding), model));
  const Inference invariant({&model}, decoding, {.batch_invariant = true});
  EXPECT_TRUE(invariant.batch_invariant());
  EXPECT_TRUE(invariant.context(0).batch_invariant);
  EXPECT_TRUE(multiplies_in_fp32(invariant, model));
}

TEST(Inference, ThrowsWhenTheProcessorDoesNotSupportBf16) {
  if (cpu_supports_bf16()) GTEST_SKIP() << "this processor supports bf16";
  auto model = tiny_model();
  try {
    const Inference inference({&model}, in(DecodingPrecision::bf16));
    FAIL() << "bf16 was accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.where(), "decoding.precision");
  }
}

TEST(Inference, ThrowsForInt8WhenTheDeviceIsNotACpu) {
  auto model = tiny_model();
  model.device = torch::kMeta;
  EXPECT_THROW(Inference({&model}, in(DecodingPrecision::int8)), ConfigError);
}

TEST(Inference, CastsWeightsInsteadOfPackingWhenTheDeviceIsNotACpu) {
  auto model = tiny_model();
  model.device = torch::kMeta;
  const Inference bf16({&model}, in(DecodingPrecision::bf16));
  EXPECT_FALSE(bf16.packs_weights());
  EXPECT_EQ(bf16.context(0).packed, nullptr);
  EXPECT_NE(bf16.context(0).casts, nullptr);
  EXPECT_EQ(Inference({&model}, in(DecodingPrecision::fp32)).context(0).casts, nullptr);
}

TEST(InferenceUse, DisablesDropoutAndGradientsAndRestoresThem) {
  auto one = tiny_model(1), two = tiny_model(2);
  one.network->train();
  const Inference inference({&one, &two}, in(DecodingPrecision::fp32));
  {
    const Inference::Use use(inference);
    EXPECT_FALSE(one.network->is_training());
    EXPECT_FALSE(two.network->is_training());
    EXPECT_TRUE(torch::InferenceMode::is_enabled());
  }
  EXPECT_TRUE(one.network->is_training());
  EXPECT_FALSE(two.network->is_training());  // was in evaluation mode before
  EXPECT_FALSE(torch::InferenceMode::is_enabled());
}

}  // namespace
}  // namespace tfm
