#include "tfm/optim/moving_average.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/optim/optimizer.h"

namespace tfm {
namespace {

struct OneWeight : torch::nn::Module {
  OneWeight() { w = register_parameter("w", torch::zeros({2})); }
  void set(float value) {
    const torch::NoGradGuard no_grad;
    w.fill_(value);
  }
  torch::Tensor w;
};

float average_weight(const ExponentialMovingAverage& average) {
  return average.state().at("average.w")[0].item<float>();
}

TEST(ExponentialMovingAverage, EqualsTheWeightedMeanOfAllWeightsSoFar) {
  OneWeight module;
  ExponentialMovingAverage average(0.5, module);
  module.set(8);
  average.update();
  EXPECT_FLOAT_EQ(average_weight(average), 8)
      << "the average of one value must be the value itself, without a bias towards zero";
  module.set(2);
  average.update();
  EXPECT_FLOAT_EQ(average_weight(average), (8 * 0.5F + 2) / 1.5F);
  module.set(5);
  average.update();
  EXPECT_FLOAT_EQ(average_weight(average), (8 * 0.25F + 2 * 0.5F + 5) / 1.75F);
}

TEST(EmaWeightsGuard, GivesTheModuleTheAverageUntilDestruction) {
  OneWeight module;
  std::optional<ExponentialMovingAverage> average(std::in_place, 0.5, module);
  {
    const EmaWeightsGuard before(average);
    EXPECT_EQ(module.w[0].item<float>(), 0) << "the average is empty before the first update";
  }
  module.set(8);
  average->update();
  module.set(2);
  average->update();
  {
    const EmaWeightsGuard averaged(average);
    EXPECT_FLOAT_EQ(module.w[0].item<float>(), 4);
  }
  EXPECT_EQ(module.w[0].item<float>(), 2);
  EXPECT_FLOAT_EQ(average_weight(*average), 4);
  std::optional<ExponentialMovingAverage> none;
  const EmaWeightsGuard nothing(none);
  EXPECT_EQ(module.w[0].item<float>(), 2);
}

TEST(ExponentialMovingAverage, ResumesFromItsState) {
  OneWeight module;
  ExponentialMovingAverage average(0.9, module);
  module.set(8);
  average.update();
  OneWeight other_module;
  ExponentialMovingAverage other(0.9, other_module);
  StateDict saved;
  for (const auto& [name, tensor] : average.state()) saved[name] = tensor.clone();
  other.load_state(saved, "there");
  for (auto* each : {&module, &other_module}) each->set(3);
  average.update();
  other.update();
  EXPECT_EQ(average_weight(other), average_weight(average));
  saved["average.w"] = torch::zeros({3});
  EXPECT_THROW(other.load_state(saved, "there"), ModelError);
  other_module.set(std::numeric_limits<float>::quiet_NaN());
  other.update();
  other.load_state({}, "a run that had none");
  other_module.set(4);
  other.update();
  EXPECT_EQ(average_weight(other), 4) << "the diverged average must be dropped";
}

TEST(Optimizer, KeepsAMovingAverageOnlyIfConfigured) {
  OneWeight module;
  EXPECT_FALSE(Optimizer(TrainingConfig{}, module).state().contains("average.w"));
  TrainingConfig config;
  config.ema_decay = 0.9;
  Optimizer optimizer(config, module);
  module.w.mutable_grad() = torch::ones({2});
  optimizer.step(0.5);
  EXPECT_TRUE(optimizer.state().at("average.w").equal(module.w.detach()));
}

TEST(Optimizer, UpdatesEmbeddingsAtTheirOwnLearningRate) {
  const auto steps = [](double factor) {
    auto model = make_model(small_config());
    const auto before = state_dict(*make_model(small_config()));
    TrainingConfig config;
    config.optimizer = OptimizerKind::sgd;
    config.momentum = 0;
    config.embedding_rate_factor = factor;
    Optimizer optimizer(config, *model);
    for (auto& parameter : model->parameters())
      parameter.mutable_grad() = torch::ones_like(parameter);
    optimizer.step(0.5);
    std::map<std::string, double> moved;
    for (const auto& [name, tensor] : state_dict(*model))
      moved[name] = (before.at(name) - tensor).mean().item<double>();
    return moved;
  };
  for (const double factor : {1.0, 0.25, 0.0}) {
    for (const auto& [name, step] : steps(factor)) {
      EXPECT_NEAR(step, name.find("embedding") == std::string::npos ? 0.5 : 0.5 * factor, 1e-6)
          << name;
    }
  }
}

TEST(Optimizer, ClipIgnoresFrozenEmbeddings) {
  TrainingConfig config;
  config.embedding_rate_factor = 0;
  auto model = make_model(small_config());
  Optimizer optimizer(config, *model);
  double moving = 0;
  for (auto& parameter : model->named_parameters()) {
    const bool embedding = parameter.key().find("embedding") != std::string::npos;
    parameter.value().mutable_grad() = torch::full_like(parameter.value(), embedding ? 100.0 : 1.0);
    if (!embedding) moving += static_cast<double>(parameter.value().numel());
  }
  EXPECT_NEAR(optimizer.gradient_norm().item<double>(), std::sqrt(moving), 1e-3);
}

}  // namespace
}  // namespace tfm
