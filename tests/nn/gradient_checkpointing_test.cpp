#include "tfm/nn/gradient_checkpointing.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/nn/modules/linear.h>

#include "model_fixture.h"
#include "tfm/tensor/autocast.h"
#include "tfm/tensor/dropout.h"

namespace tfm {
namespace {

using torch::Tensor;

struct Pass {
  double loss = 0;
  std::vector<Tensor> gradients;
  double next_random_number = 0;  // drawn after the backward pass
};

/// Runs two forward passes of a model in training mode and one backward pass of the sum of their
/// losses, so most weights are used twice.
Pass run(const ModelConfig& config, bool checkpoints, bool bf16) {
  auto model = make_model(config);
  model->train();
  model->set_gradient_checkpointing(checkpoints);
  WeightCasts casts;
  const ForwardContext context{.casts = bf16 ? &casts : nullptr};
  const auto source = ids({{3, 4, 2, 9}, {5, 2, 0, 0}});
  const auto target = ids({{1, 6, 7}, {1, 9, 0}});
  torch::manual_seed(5);
  const auto loss =
      model->forward(source, target, nullptr, context).to(torch::kFloat32).square().mean() +
      model->hidden(source, target, nullptr, {}, context).square().mean();
  loss.backward();
  Pass pass{.loss = loss.item<double>(),
            .gradients = {},
            .next_random_number = torch::rand({1}).item<double>()};
  for (const auto& parameter : model->parameters()) pass.gradients.push_back(parameter.grad());
  return pass;
}

/// Checks that two passes agree. A tolerance of 0 requires exactly equal gradients.
void expect_equal(const Pass& found, const Pass& expected, double tolerance) {
  EXPECT_EQ(found.loss, expected.loss);
  EXPECT_EQ(found.next_random_number, expected.next_random_number);
  ASSERT_EQ(found.gradients.size(), expected.gradients.size());
  for (std::size_t i = 0; i < found.gradients.size(); ++i) {
    ASSERT_EQ(found.gradients[i].defined(), expected.gradients[i].defined()) << i;
    if (!found.gradients[i].defined()) continue;  // a parameter of a skipped layer
    EXPECT_LE((found.gradients[i] - expected.gradients[i]).abs().max().item<double>(), tolerance)
        << i;
  }
}

/// Returns models that differ in dropout, norm order and cross-attention.
std::vector<ModelConfig> models() {
  std::vector<ModelConfig> all(5, small_config());
  for (auto& config : all) config.dropout = 0.3;
  all[1].norm_order = NormOrder::pre;
  all[1].activation_dropout = 0.2;
  all[2].cross_attention = CrossAttention::layerwise;
  all[3].attention_dropout = 0.2;  // attention dropout requires padding
  all[4].layer_dropout = 0.4;
  return all;
}

TEST(GradientCheckpointing, GivesTheSameGradientsAsWithoutCheckpoints) {
  const auto all = models();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const bool bf16 : {false, true}) {
      SCOPED_TRACE(testing::Message() << "model " << i << ", bf16 " << bf16);
      // With layerwise cross-attention, some encoder outputs receive several gradients, and
      // checkpointing changes the order in which they are summed.
      const bool shared = all[i].cross_attention == CrossAttention::layerwise;
      expect_equal(run(all[i], true, bf16), run(all[i], false, bf16), shared ? 1e-7 : 0);
    }
  }
}

/// Doubles x in a layer, and stores a weak pointer to the intermediate tensor of the layer in
/// `inner`.
Tensor double_in_layer(const Tensor& x, c10::weak_intrusive_ptr<c10::TensorImpl>& inner,
                       bool checkpoints) {
  const LayerFunction layer = [&inner](const auto& inputs) {
    const auto intermediate = inputs[0].exp();
    inner = c10::weak_intrusive_ptr<c10::TensorImpl>(intermediate.getIntrusivePtr());
    return intermediate.log() * 2;
  };
  return checkpoints ? gradient_checkpoint({x}, {}, layer) : layer({x});
}

TEST(GradientCheckpointing, StoresNoIntermediateTensors) {
  const auto x = torch::randn({4}).requires_grad_();
  auto inner = c10::weak_intrusive_ptr<c10::TensorImpl>(x.getIntrusivePtr());
  const auto plain = double_in_layer(x, inner, false);
  EXPECT_FALSE(inner.expired());
  const auto lean = double_in_layer(x, inner, true);
  EXPECT_TRUE(inner.expired());
  EXPECT_TRUE(lean.equal(plain));
}

TEST(GradientCheckpointing, AccumulatesTheGradientOfAParameterOnce) {
  torch::nn::Linear layer(3, 3);
  int arrivals = 0;
  const auto accumulator = torch::autograd::impl::grad_accumulator(layer->weight);
  accumulator->add_post_hook(std::make_unique<torch::autograd::utils::LambdaPostHook>(
      [&arrivals](const auto& outputs, const auto&) {
        ++arrivals;
        return outputs;
      }));
  const auto once = [&](const Tensor& x) {
    return gradient_checkpoint({x}, layer->parameters(),
                               [layer](const auto& in) mutable { return layer(in[0]); });
  };
  const auto x = torch::randn({2, 3});
  once(once(x)).sum().backward();
  EXPECT_EQ(arrivals, 1);
  const auto found = layer->weight.grad().clone();
  layer->zero_grad();
  layer(layer(x)).sum().backward();
  EXPECT_TRUE(found.allclose(layer->weight.grad()));
}

TEST(GradientCheckpointing, ComputesNoGradientForInputsThatRequireNone) {
  const auto x = torch::randn({3});
  const auto y = torch::randn({3}).requires_grad_();
  gradient_checkpoint({x, y}, {}, [](const auto& in) { return in[0] * in[1]; }).sum().backward();
  EXPECT_FALSE(x.grad().defined());
  EXPECT_TRUE(y.grad().equal(x));
}

}  // namespace
}  // namespace tfm
