#include "tfm/optim/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/golden.h"
#include "tfm/core/error.h"
#include "tfm/losses/cross_entropy.h"

namespace tfm {
namespace {

/// A module with one parameter w, whose gradient the test sets.
struct OneWeight : torch::nn::Module {
  OneWeight() { w = register_parameter("w", torch::tensor({1.0F, -2.0F})); }
  void set_gradient(double a, double b) {
    w.mutable_grad() = torch::tensor({a, b}, torch::kFloat32);
  }
  double value(int64_t i) const { return w[i].item<double>(); }
  torch::Tensor w;
};

TrainingConfig training(OptimizerKind kind) {
  TrainingConfig config;
  config.optimizer = kind;
  config.beta1 = 0.9;
  config.beta2 = 0.98;
  config.epsilon = 1e-9;
  return config;
}

class PyTorchParity : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Optimizer, PyTorchParity, testing::ValuesIn(golden_names()),
                         [](const auto& info) { return info.param; });

TEST_P(PyTorchParity, AdamStepsMatchPyTorch) {
  auto golden = load_golden(GetParam());
  const auto& tensors = golden.tensors;
  const auto& targets = tensors.at("target_output");
  Optimizer optimizer(training(OptimizerKind::adam), *golden.model);
  for (int64_t step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    const auto logits = golden.model(tensors.at("source"), tensors.at("target_input"));
    const auto loss = cross_entropy_sums(logits, targets, 0, 0.1).smoothed / targets.ne(0).sum();
    EXPECT_NEAR(loss.item<double>(), tensors.at("losses")[step].item<double>(), 1e-5)
        << "step " << step;
    loss.backward();
    optimizer.step(0.01);
  }
}

TEST(Optimizer, FirstAdamStepHasTheSizeOfTheLearningRate) {
  OneWeight module;
  Optimizer optimizer(training(OptimizerKind::adam), module);
  module.set_gradient(0.5, -3);
  optimizer.step(0.1);
  EXPECT_NEAR(module.value(0), 0.9, 1e-6);
  EXPECT_NEAR(module.value(1), -1.9, 1e-6);
}

TEST(Optimizer, AdamWDecouplesWeightDecayFromTheGradient) {
  auto config = training(OptimizerKind::adamw);
  config.weight_decay = 0.5;
  OneWeight module;
  Optimizer optimizer(config, module);
  module.set_gradient(0.5, 0.5);
  optimizer.step(0.1);
  EXPECT_NEAR(module.value(0), 1 - 0.1 * 0.5 - 0.1, 1e-6);
}

TEST(Optimizer, SgdAccumulatesMomentum) {
  auto config = training(OptimizerKind::sgd);
  config.momentum = 0.9;
  OneWeight module;
  Optimizer optimizer(config, module);
  for (int i = 0; i < 2; ++i) {
    module.set_gradient(1, 0);
    optimizer.step(0.1);
  }
  EXPECT_NEAR(module.value(0), 1 - 0.1 * 1 - 0.1 * 1.9, 1e-6);
}

TEST(Optimizer, ClipScalesGradientsToTheMaximalJointNorm) {
  OneWeight module;
  Optimizer optimizer(training(OptimizerKind::sgd), module);
  module.set_gradient(3, 4);
  EXPECT_NEAR(optimizer.gradient_norm().item<double>(), 5, 1e-6);
  optimizer.clip(5, 1);
  EXPECT_NEAR(module.w.grad()[0].item<double>(), 0.6, 1e-5);
  EXPECT_NEAR(optimizer.gradient_norm().item<double>(), 1, 1e-5);
  optimizer.clip(1, 0);  // 0 means no limit
  EXPECT_NEAR(module.w.grad()[1].item<double>(), 0.8, 1e-5);
}

TEST(Optimizer, ResumesFromItsState) {
  for (const auto kind : {OptimizerKind::adam, OptimizerKind::adamw, OptimizerKind::sgd}) {
    OneWeight straight;
    Optimizer one(training(kind), straight);
    OneWeight resumed;
    StateDict state;
    for (int i = 0; i < 3; ++i) {
      straight.set_gradient(i + 1, -1);
      one.step(0.1);
      if (i == 0) {
        for (const auto& [name, tensor] : one.state()) state[name] = tensor.clone();
        resumed.w.data().copy_(straight.w.detach());
      }
    }
    Optimizer two(training(kind), resumed);
    two.load_state(state, "checkpoint");
    for (int i = 1; i < 3; ++i) {
      resumed.set_gradient(i + 1, -1);
      two.step(0.1);
    }
    EXPECT_TRUE(resumed.w.equal(straight.w));
  }
}

TEST(Optimizer, RejectsTheStateOfAnotherOptimizer) {
  OneWeight module;
  Optimizer sgd(training(OptimizerKind::sgd), module);
  Optimizer adam(training(OptimizerKind::adam), module);
  EXPECT_THROW(adam.load_state(sgd.state(), "checkpoint"), ModelError);
}

TEST(Optimizer, RemovesTheLossScaleBeforeItClips) {
  OneWeight module;
  Optimizer optimizer(training(OptimizerKind::sgd), module);
  optimizer.use_loss_scale();
  module.set_gradient(3 * 65536, 4 * 65536);
  EXPECT_EQ(optimizer.gradient_norm().item<float>(), 5 * 65536);
  optimizer.clip(5, 10);
  EXPECT_TRUE(module.w.grad().equal(torch::tensor({3.0F, 4.0F})));
  module.set_gradient(3 * 65536, 4 * 65536);
  optimizer.clip(5, 1);
  EXPECT_TRUE(module.w.grad().allclose(torch::tensor({0.6F, 0.8F})));
}

TEST(Optimizer, StoresItsLossScaleAndStartsAnewWithoutOne) {
  OneWeight module;
  Optimizer plain(training(OptimizerKind::adam), module);
  Optimizer scaled(training(OptimizerKind::adam), module);
  scaled.use_loss_scale();
  scaled.loss_scale()->record_overflow();
  EXPECT_FALSE(plain.state().contains("loss_scale"));
  Optimizer resumed(training(OptimizerKind::adam), module);
  resumed.use_loss_scale();
  resumed.load_state(plain.state(), "");
  EXPECT_EQ(resumed.loss_scale()->value(), 65536);
  resumed.load_state(scaled.state(), "");
  EXPECT_EQ(resumed.loss_scale()->value(), 32768);
  EXPECT_NO_THROW(plain.load_state(scaled.state(), ""));
}

}  // namespace
}  // namespace tfm
