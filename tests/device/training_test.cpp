// Tests updates of a model on the test device: they must change the weights as updates on the CPU
// do. Random numbers of dropout differ between the two, so dropout is tested on the device alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "on_device.h"
#include "test_device.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/update_step.h"

namespace tfm {
namespace {

struct Trained {
  double loss = 0;                  // of the last update
  std::vector<double> mean_losses;  // per token, of each update
  double gradient_norm = 0;         // of the last update
  StateDict weights;                // on the CPU
  StateDict state;                  // of the optimizer, on the CPU
};

StateDict copy_to_cpu(const StateDict& tensors) {
  StateDict copies;
  for (const auto& [name, tensor] : tensors) copies[name] = tensor.detach().cpu().clone();
  return copies;
}

/// Makes updates of two batches of four pairs each.
Trained train_on(torch::Device device, const std::function<void(Config&)>& change,
                 std::int64_t updates, double learning_rate) {
  auto model = make_small_model(device, change);
  const auto corpus = make_corpus(8 * updates);
  const ProcessGroup alone;
  Optimizer optimizer(model.config.training, *model.network);
  UpdateStep step(model, optimizer, alone);
  seed_everything(5);
  UpdateStep::Done done;
  std::vector<double> mean_losses;
  for (std::int64_t i = 0; i < updates; ++i) {
    std::vector<BatchIndices> batches(2, BatchIndices(4));
    std::iota(batches[0].begin(), batches[0].end(), 8 * i);
    std::iota(batches[1].begin(), batches[1].end(), 8 * i + 4);
    done = step.run(batches, corpus, learning_rate, i);
    mean_losses.push_back(done.loss / static_cast<double>(done.target_tokens));
  }
  return {done.loss, mean_losses, done.gradient_norm, copy_to_cpu(state_dict(*model.network)),
          copy_to_cpu(optimizer.state())};
}

void expect_near(const StateDict& actual, const StateDict& expected, double tolerance,
                 const std::string& test_case) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    EXPECT_TRUE(actual.at(name).allclose(tensor, 0, tolerance))
        << test_case << ": " << name << " differs by "
        << (actual.at(name) - tensor).abs().max().item<double>();
  }
}

void expect_near(const Trained& actual, const Trained& expected, double tolerance,
                 const std::string& test_case) {
  EXPECT_NEAR(actual.loss, expected.loss, 1e-3) << test_case;
  EXPECT_NEAR(actual.gradient_norm, expected.gradient_norm, 1e-4) << test_case;
  expect_near(actual.weights, expected.weights, tolerance, test_case);
  expect_near(actual.state, expected.state, tolerance, test_case);
}

void expect_equal(const StateDict& actual, const StateDict& expected,
                  const std::string& test_case) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_TRUE(actual.at(name).equal(tensor)) << test_case << ": " << name;
}

void use_sgd(Config& config) {
  config.training.optimizer = OptimizerKind::sgd;
  config.training.momentum = 0;
}

/// One update by SGD shows every gradient: the weights change by 0.1 times the gradient.
void expect_same_update(const DeviceCase& test_case) {
  const auto change = [&](Config& config) {
    use_sgd(config);
    test_case.change(config);
  };
  const auto expected = train_on(cpu, change, 1, 0.1);
  expect_near(train_on(test_device, change, 1, 0.1), expected, 1e-6, test_case.name);
}

TEST(UpdateOnDevice, EqualsTheCpusForEachArchitecture) {
  const DeviceCase architectures[] = {
      {"default", [](Config&) {}},
      {"pre-norm", [](Config& c) { c.model.norm_order = NormOrder::pre; }},
      {"rms_norm", [](Config& c) { c.model.norm = Norm::rms_norm; }},
      {"deviation_norm", [](Config& c) { c.model.norm = Norm::deviation_norm; }},
      {"norm without weights", [](Config& c) { c.model.norm_affine = false; }},
      {"gelu", [](Config& c) { c.model.activation = Activation::gelu; }},
      {"silu", [](Config& c) { c.model.activation = Activation::silu; }},
      {"swiglu", [](Config& c) { c.model.activation = Activation::swiglu; }},
      {"learned", [](Config& c) { c.model.positions = Positions::learned; }},
      {"rotary", [](Config& c) { c.model.positions = Positions::rotary; }},
      {"by_token", [](Config& c) { c.model.positions = Positions::by_token; }},
      {"no positions", [](Config& c) { c.model.positions = Positions::none; }},
      {"as in Marian",
       [](Config& c) {
         c.model.positions = Positions::sinusoidal_halves;
         c.model.zero_start = true;
       }},
      {"layerwise", [](Config& c) { c.model.cross_attention = CrossAttention::layerwise; }},
      {"tied", [](Config& c) { c.model.tied_embeddings = TiedEmbeddings::decoder; }},
      {"all tied",
       [](Config& c) {
         c.model.tied_embeddings = TiedEmbeddings::all;
         c.model.tied_output_bias = true;
       }},
      {"no bias", [](Config& c) { c.model.bias = false; }},
      {"fixed_length", [](Config& c) { c.data.fixed_length = 9; }},
  };
  for (const auto& architecture : architectures) expect_same_update(architecture);
}

/// The random numbers of these are drawn alike: on the CPU, or by the device after the same seed.
TEST(UpdateOnDevice, EqualsTheCpusForEachSettingOfTraining) {
  const DeviceCase settings[] = {
      {"no label smoothing", [](Config& c) { c.training.label_smoothing = 0; }},
      {"clip_norm", [](Config& c) { c.training.clip_norm = 0.01; }},
      {"momentum and decay",
       [](Config& c) {
         c.training.momentum = 0.9;
         c.training.weight_decay = 0.1;
       }},
      {"embedding_rate_factor", [](Config& c) { c.training.embedding_rate_factor = 0.5; }},
      {"gradient_checkpointing", [](Config& c) { c.training.gradient_checkpointing = true; }},
      {"r_drop", [](Config& c) { c.training.r_drop = 1; }},
      {"simcut", [](Config& c) { c.training.simcut = 3, c.training.simcut_probability = 0.5; }},
      {"token_dropout", [](Config& c) { c.training.token_dropout = 0.3; }},
      {"layer_dropout", [](Config& c) { c.model.layer_dropout = 0.5; }},
      {"ema", [](Config& c) { c.training.ema_decay = 0.9; }},
  };
  for (const auto& setting : settings) expect_same_update(setting);
}

/// Adam makes full steps from gradients that are only rounding errors (of key biases), so the model
/// has no biases.
TEST(UpdateOnDevice, FiveUpdatesByAdamEqualTheCpus) {
  for (const auto optimizer : {OptimizerKind::adam, OptimizerKind::adamw}) {
    const auto change = [&](Config& config) {
      config.model.bias = false;
      config.training.optimizer = optimizer;
      config.training.weight_decay = 0.01;
      config.training.clip_norm = 0.5;
      config.training.ema_decay = 0.9;
    };
    expect_near(train_on(test_device, change, 5, 1e-3), train_on(cpu, change, 5, 1e-3), 2e-5,
                optimizer == OptimizerKind::adam ? "adam" : "adamw");
  }
}

TEST(UpdateOnDevice, ComputesInBf16ByDefault) {
  const auto change = [](Config& config) { use_sgd(config); };
  const auto mixed = [](Config& config) {
    use_sgd(config);
    config.training.precision = Precision::automatic;
  };
  const auto expected = train_on(test_device, change, 1, 0.1);
  const auto rounded = train_on(test_device, mixed, 1, 0.1);
  EXPECT_NE(rounded.loss, expected.loss);
  EXPECT_NEAR(rounded.loss, expected.loss, 0.01 * expected.loss);
  expect_near(rounded.weights, expected.weights, 0.02, "bf16");
}

void use_fp16(Config& config) { config.training.precision = Precision::fp16; }

TEST(UpdateOnDevice, TwentyUpdatesInFp16HaveNearlyTheLossesOfFp32) {
  const auto expected = train_on(test_device, [](Config&) {}, 20, 1e-3).mean_losses;
  const auto losses = train_on(test_device, use_fp16, 20, 1e-3).mean_losses;
  EXPECT_LT(expected.back(), expected.front() - 0.1) << "the test needs a model that learns";
  EXPECT_NE(losses, expected) << "not computed in fp16";
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(losses[i], expected[i], 2e-2) << "update " << i;
}

/// Makes one update in fp16 with this loss scale.
UpdateStep::Done update_with_scale(TranslationModel& model, Optimizer& optimizer, float scale) {
  const auto corpus = make_corpus(8);
  const ProcessGroup alone;
  UpdateStep step(model, optimizer, alone);
  optimizer.loss_scale()->load_state(torch::tensor({scale, 7.0F}), "");
  const std::vector<BatchIndices> batches{{0, 1, 2, 3}, {4, 5, 6, 7}};
  return step.run(batches, corpus, 0.1, 0);
}

TEST(UpdateOnDevice, SkipsAnUpdateThatOverflowsInFp16AndHalvesTheLossScale) {
  auto model = make_small_model(test_device, use_fp16);
  Optimizer optimizer(model.config.training, *model.network);
  const auto before = copy_to_cpu(state_dict(*model.network));
  const auto done = update_with_scale(model, optimizer, std::ldexp(1.0F, 40));
  EXPECT_TRUE(done.overflowed);
  EXPECT_FALSE(done.finite());
  EXPECT_FALSE(done.diverged());
  EXPECT_EQ(done.loss_scale, std::ldexp(1, 39));
  expect_equal(copy_to_cpu(state_dict(*model.network)), before, "weights");
  EXPECT_TRUE(
      optimizer.state().at("loss_scale").equal(torch::tensor({std::ldexp(1.0F, 39), 0.0F})));
}

TEST(UpdateOnDevice, DoesNotDependOnTheLossScale) {
  std::vector<StateDict> weights;
  std::vector<double> norms;
  for (const float scale : {1024.0F, 65536.0F}) {
    auto model = make_small_model(test_device, [](Config& config) {
      use_fp16(config);
      use_sgd(config);
      config.training.clip_norm = 0.1;
    });
    Optimizer optimizer(model.config.training, *model.network);
    norms.push_back(update_with_scale(model, optimizer, scale).gradient_norm);
    EXPECT_EQ(optimizer.state().at("loss_scale")[1].item<float>(), 8);
    weights.push_back(copy_to_cpu(state_dict(*model.network)));
  }
  EXPECT_NEAR(norms[0], norms[1], 1e-2 * norms[1]);
  EXPECT_GT(norms[0], 0.1) << "the gradient must be clipped";
  expect_near(weights[0], weights[1], 1e-4, "weights");
}

TEST(UpdateOnDevice, ComputesInFp16ByDefaultIfTheGpuHasNoBf16) {
  const auto type = [](int capability) {
    set_compute_capability(capability);
    const auto found = training_type(Config(), test_device);
    set_compute_capability(0);
    return found;
  };
  EXPECT_EQ(type(75), torch::kFloat16);
  EXPECT_EQ(type(80), torch::kBFloat16);
  EXPECT_EQ(type(0), torch::kBFloat16) << "unknown";
}

/// The regularisers whose random numbers differ from the CPU's.
std::vector<DeviceCase> random_settings() {
  return {
      {"dropout", [](Config& c) { c.model.dropout = 0.3; }},
      {"dropout_after_sum",
       [](Config& c) {
         c.model.dropout = 0.3;
         c.model.dropout_after_sum = true;
       }},
      {"embedding_dropout", [](Config& c) { c.model.embedding_dropout = 0.3; }},
      {"attention_dropout", [](Config& c) { c.model.attention_dropout = 0.3; }},
      {"activation_dropout", [](Config& c) { c.model.activation_dropout = 0.3; }},
      {"r_drop with dropout",
       [](Config& c) {
         c.model.dropout = 0.3;
         c.training.r_drop = 5;
       }},
  };
}

TEST(DropoutOnDevice, IsRepeatedByTheSameSeedAndChangesTheLoss) {
  const double without = train_on(test_device, use_sgd, 2, 0.1).loss;
  for (const auto& setting : random_settings()) {
    const auto change = [&](Config& config) {
      use_sgd(config);
      setting.change(config);
    };
    const auto first = train_on(test_device, change, 2, 0.1);
    const auto second = train_on(test_device, change, 2, 0.1);
    EXPECT_TRUE(std::isfinite(first.loss)) << setting.name;
    EXPECT_NE(first.loss, without) << setting.name;
    EXPECT_EQ(first.loss, second.loss) << setting.name;
    expect_equal(first.weights, second.weights, setting.name);
  }
}

/// The backward pass must repeat each layer with the random numbers of the forward pass, which are
/// those of two generators.
TEST(DropoutOnDevice, IsTheSameWithGradientCheckpointing) {
  for (const auto& setting : random_settings()) {
    const auto change = [&](bool checkpointing) {
      return [&setting, checkpointing](Config& config) {
        use_sgd(config);
        setting.change(config);
        config.model.layer_dropout = 0.2;
        config.training.gradient_checkpointing = checkpointing;
      };
    };
    expect_near(train_on(test_device, change(true), 2, 0.1),
                train_on(test_device, change(false), 2, 0.1), 1e-6, setting.name);
  }
}

}  // namespace
}  // namespace tfm
