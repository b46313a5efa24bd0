#include "tfm/nn/feed_forward.h"

#include <gtest/gtest.h>

#include "model_fixture.h"

namespace tfm {
namespace {

TEST(FeedForward, EqualsTwoLinearLayersAroundTheActivation) {
  for (const auto activation :
       {Activation::relu, Activation::gelu, Activation::silu, Activation::swiglu}) {
    auto config = small_config();
    config.activation = activation;
    LayerFactory layers;
    FeedForward layer(config, layers);
    const auto weights = layer->named_parameters();
    const auto x = torch::randn({2, 3, 16});
    const auto inner = torch::linear(x, weights["input.weight"], weights["input.bias"]);
    torch::Tensor active;
    if (activation == Activation::relu) active = inner.clamp_min(0);
    if (activation == Activation::gelu)
      active = inner * 0.5 * (1 + torch::erf(inner / std::sqrt(2.0)));
    if (activation == Activation::silu) active = inner * inner.sigmoid();
    if (activation == Activation::swiglu) {
      const auto gate = torch::linear(x, weights["gate.weight"], weights["gate.bias"]);
      active = inner * gate * gate.sigmoid();
    }
    const auto expected = torch::linear(active, weights["output.weight"], weights["output.bias"]);
    EXPECT_LT((layer(ForwardContext{}, x) - expected).abs().max().item<double>(), 1e-5);
  }
}

}  // namespace
}  // namespace tfm
