#include "tfm/optim/loss_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(LossScale, IsHalvedByEachOverflow) {
  LossScale scale;
  EXPECT_EQ(scale.value(), 65536);
  scale.record_overflow();
  scale.record_overflow();
  EXPECT_EQ(scale.value(), 16384);
}

TEST(LossScale, DoublesAfter2000FiniteUpdatesInARow) {
  LossScale scale;
  for (int i = 0; i < 1999; ++i) scale.record_finite();
  scale.record_overflow();  // the count begins again
  for (int i = 0; i < 1999; ++i) scale.record_finite();
  EXPECT_EQ(scale.value(), 32768);
  scale.record_finite();
  EXPECT_EQ(scale.value(), 65536);
  for (int i = 0; i < 2000; ++i) scale.record_finite();
  EXPECT_EQ(scale.value(), 131072);
}

TEST(LossScale, ContinuesFromItsState) {
  LossScale scale;
  scale.record_overflow();
  for (int i = 0; i < 1500; ++i) scale.record_finite();
  LossScale other;
  other.load_state(scale.state(), "optimizer.safetensors");
  EXPECT_EQ(other.value(), 32768);
  for (int i = 0; i < 500; ++i) other.record_finite();
  EXPECT_EQ(other.value(), 65536);
}

TEST(LossScale, RefusesAStateWithoutAScale) {
  const auto load = [](const torch::Tensor& state) { LossScale().load_state(state, "file"); };
  EXPECT_THROW(load(torch::tensor({1.0F})), ModelError);
  EXPECT_THROW(load(torch::tensor({0.0F, 3.0F})), ModelError);
}

TEST(LossScale, StopsTrainingIfItBecomesTooSmall) {
  LossScale scale;
  for (int i = 0; i < 29; ++i) scale.record_overflow();  // 2^16 to 2^-13
  EXPECT_THAT(message_of<ModelError>([&] { scale.record_overflow(); }),
              testing::AllOf(testing::HasSubstr("gradients overflow in fp16"),
                             testing::HasSubstr("Set training.precision to bf16")));
}

}  // namespace
}  // namespace tfm
