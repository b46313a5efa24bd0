#include "tfm/distributed/gradient_reducer.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

#include <new>

#include "multi_process.h"

namespace tfm {
namespace {

/// A network with five parameters: two layers (the weight of the second is used twice), a factor
/// that not every pass uses, and a parameter that no pass uses.
struct Network {
  Network() {
    torch::manual_seed(7);
    first = torch::randn({40, 30}, torch::requires_grad());
    bias = torch::randn({40}, torch::requires_grad());
    second = torch::randn({40, 40}, torch::requires_grad());
    sometimes = torch::randn({40}, torch::requires_grad());
    never = torch::randn({5}, torch::requires_grad());
  }
  std::vector<torch::Tensor> parameters() const { return {first, bias, second, sometimes, never}; }
  torch::Tensor loss(int input, bool with_sometimes) const {
    torch::manual_seed(100 + input);
    auto x = torch::tanh(torch::linear(torch::randn({6, 30}), first, bias));
    x = torch::tanh(torch::linear(torch::linear(x, second), second));
    if (with_sometimes) x = x * sometimes;
    return x.square().sum();
  }
  torch::Tensor first, bias, second, sometimes, never;
};

/// Returns the sum of the gradients of all ranks, with two passes per rank, computed in one
/// process. If rank_zero_lacks_one, rank 0 does not use the parameter `sometimes`.
std::vector<torch::Tensor> expected_gradients(int ranks, bool rank_zero_lacks_one) {
  Network network;
  for (int rank = 0; rank < ranks; ++rank) {
    for (int pass = 0; pass < 2; ++pass)
      network.loss(rank * 2 + pass, pass == 0 && !(rank == 0 && rank_zero_lacks_one)).backward();
  }
  std::vector<torch::Tensor> gradients;
  for (const auto& parameter : network.parameters()) gradients.push_back(parameter.grad());
  return gradients;
}

void check_sums(const ProcessGroup& group, std::int64_t bucket_bytes, std::size_t buckets) {
  Network network;
  GradientReducer reducer(group, network.parameters(), bucket_bytes);
  EXPECT_EQ(reducer.bucket_count(), buckets);
  for (const bool lacks : {false, true, false}) {
    for (auto& parameter : network.parameters()) parameter.mutable_grad().reset();
    for (int pass = 0; pass < 2; ++pass) {
      if (pass == 1) reducer.prepare_for_backward();
      network.loss(group.rank() * 2 + pass, pass == 0 && !(group.rank() == 0 && lacks)).backward();
    }
    reducer.wait();
    const auto wanted = expected_gradients(group.size(), lacks);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto& gradient = network.parameters()[i].grad();
      EXPECT_EQ(gradient.defined(), wanted[i].defined()) << "parameter " << i;
      if (!wanted[i].defined() || !gradient.defined()) continue;
      EXPECT_TRUE(gradient.allclose(wanted[i], 1e-5, 1e-5)) << "parameter " << i;
    }
    check_tensors_identical(
        group, {network.first.grad(), network.bias.grad(), network.second.grad()}, "gradients");
  }
}

TEST(DISABLED_RankBody, GradientReducerSumsGradients) {
  // The timeout is short, because a failure on one rank may leave the others waiting.
  const ProcessGroup group(rank_environment(), {.collective = std::chrono::minutes(1)});
  // All parameters fit into one bucket of the smallest size.
  check_sums(group, /*bucket_bytes=*/0, 1);
  check_sums(group, /*bucket_bytes=*/1, 5);
  check_sums(group, /*bucket_bytes=*/6600, 2);
}

TEST(GradientReducer, SumsTheGradientsOfAllRanksAndPasses) {
  if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  EXPECT_EQ(run_ranks(2, "GradientReducerSumsGradients"), 0);
  EXPECT_EQ(run_ranks(3, "GradientReducerSumsGradients"), 0);
}

/// Checks the sums if rank 1 runs out of memory in the pass `failing_pass` and repeats both passes.
void check_repeated_passes(const ProcessGroup& group, int failing_pass, std::int64_t bucket_bytes) {
  Network network;
  GradientReducer reducer(group, network.parameters(), bucket_bytes);
  for (int update = 0; update < 2; ++update) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      reducer.reset();
      for (auto& parameter : network.parameters()) parameter.mutable_grad().reset();
      const bool again = attempt > 0;
      bool failed = false;
      for (int pass = 0; pass < 2 && !failed; ++pass) {
        if (pass == 1) reducer.prepare_for_backward();
        const auto loss = network.loss(group.rank() * 2 + pass, pass == 0);
        const bool fails = group.rank() == 1 && !again && pass == failing_pass;
        const auto hook = network.first.register_hook([&](const torch::Tensor& gradient) {
          // In pass 1, the gradients of later layers have been copied to their buckets by now, and
          // the reduction of full buckets has started.
          if (fails) throw std::bad_alloc();
          return gradient;
        });
        try {
          loss.backward();
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        network.first.remove_hook(hook);
        EXPECT_EQ(failed, fails);
      }
      if (!failed) break;
    }
    reducer.wait();
    const auto wanted = expected_gradients(group.size(), /*rank_zero_lacks_one=*/false);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto& gradient = network.parameters()[i].grad();
      ASSERT_EQ(gradient.defined(), wanted[i].defined()) << "parameter " << i;
      if (!wanted[i].defined()) continue;
      EXPECT_TRUE(gradient.allclose(wanted[i], 1e-5, 1e-5))
          << "parameter " << i << " of rank " << group.rank();
    }
  }
}

TEST(DISABLED_RankBody, GradientReducerAllowsRepeatingAFailedPass) {
  const ProcessGroup group(rank_environment(), {.collective = std::chrono::minutes(1)});
  for (const int failing_pass : {0, 1}) {
    for (const std::int64_t bucket_bytes : {1, 6600})
      check_repeated_passes(group, failing_pass, bucket_bytes);
  }
}

TEST(GradientReducer, SumsGradientsCorrectlyIfAFailedPassIsRepeated) {
  if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  EXPECT_EQ(run_ranks(2, "GradientReducerAllowsRepeatingAFailedPass"), 0);
}

TEST(GradientReducer, DoesNothingInAGroupOfOneRank) {
  Network network;
  const ProcessGroup group;
  GradientReducer reducer(group, network.parameters());
  reducer.prepare_for_backward();
  network.loss(0, false).backward();
  const auto before = network.first.grad().clone();
  reducer.wait();
  EXPECT_TRUE(network.first.grad().equal(before));
  EXPECT_FALSE(network.never.grad().defined());
}

}  // namespace
}  // namespace tfm
