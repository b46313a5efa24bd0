// Tests that the test device refuses what CUDA refuses, and counts what it is asked.
#include "test_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace tfm {
namespace {

using testing::HasSubstr;
using torch::kCUDA;
using torch::Tensor;

template <class Call>
std::string c10_message(const Call& call) {
  try {
    call();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

template <class Call>
DeviceCounts counts_of(const Call& call) {
  const auto before = device_counts();
  call();
  return device_counts() - before;
}

TEST(TestDevice, IsTheOnlyCudaDevice) {
  EXPECT_EQ(torch::cuda::device_count(), 1);
  EXPECT_EQ(torch::ones({2}, kCUDA).device(), torch::Device("cuda:0"));
}

TEST(TestDevice, ComputesValuesAndGradients) {
  const auto gradients = [](torch::Device device) {
    torch::manual_seed(1);
    const auto table = torch::randn({10, 8}).to(device).requires_grad_();
    const auto weight = torch::randn({6, 8}).to(device).requires_grad_();
    const auto x = torch::embedding(table, torch::tensor({1, 2, 3, 3}).to(device));
    torch::log_softmax(torch::matmul(x, weight.t()), -1).select(1, 2).mean().backward();
    return torch::cat({table.grad().flatten(), weight.grad().flatten()}).cpu();
  };
  EXPECT_TRUE(gradients(kCUDA).allclose(gradients(torch::kCPU)));
}

TEST(TestDevice, LetsViewsShareMemory) {
  const auto x = torch::arange(6, kCUDA).view({2, 3});
  x.select(0, 1).fill_(9);
  x.transpose(0, 1).slice(0, 0, 1).zero_();
  EXPECT_TRUE(x.cpu().equal(torch::tensor({{0, 1, 2}, {0, 9, 9}})));
}

TEST(TestDevice, EndsAProgramThatReadsItsMemoryOnTheHost) {
  const auto x = torch::ones({3}, kCUDA);
  EXPECT_DEATH(ASSERT_GT(x.const_data_ptr<float>()[0], 0), "");
}

TEST(TestDevice, RefusesTensorsOfTwoDevices) {
  const auto here = torch::ones({3, 3});
  const auto there = here.to(kCUDA);
  const auto indices = torch::tensor({0, 2});
  EXPECT_THAT(c10_message([&] { there.mm(here); }), HasSubstr("two devices, cuda:0 and cpu"));
  EXPECT_THAT(c10_message([&] { here + there; }), HasSubstr("two devices"));
  EXPECT_THAT(c10_message([&] { torch::cat({here, there}); }), HasSubstr("two devices"));
  EXPECT_THAT(c10_message([&] { there.index_select(0, indices); }), HasSubstr("two devices"));
  EXPECT_THAT(c10_message([&] { here[0][0].add_(there[0][0]); }), HasSubstr("two devices"));
  EXPECT_NO_THROW(there * here[0][0]) << "a number";
  EXPECT_EQ(there.index({indices}).size(0), 2);
}

TEST(TestDevice, RefusesTheGeneratorOfTheCpu) {
  auto x = torch::ones({3}, kCUDA);
  const auto generator = at::detail::createCPUGenerator();
  EXPECT_THAT(c10_message([&] { x.uniform_(0, 1, generator); }), HasSubstr("generator"));
}

TEST(TestDevice, HasItsOwnRandomGenerator) {
  torch::manual_seed(3);
  const auto expected = torch::rand({4});
  torch::manual_seed(3);
  torch::rand({7}, kCUDA);
  EXPECT_TRUE(torch::rand({4}).equal(expected)) << "the device must not draw from the CPU's";
  torch::manual_seed(3);
  torch::rand({7});
  EXPECT_TRUE(torch::rand({4}, kCUDA).cpu().equal(expected));
  EXPECT_FALSE(torch::rand({4}, kCUDA).cpu().equal(expected)) << "the generator must advance";
}

TEST(TestDevice, CountsOperationsAndCopies) {
  const auto here = torch::ones({3, 3});
  const auto there = here.to(kCUDA);
  EXPECT_EQ(counts_of([&] { there.mm(there).t().relu(); }).operations, 2);
  EXPECT_EQ(counts_of([&] { here.to(kCUDA); }).copies_to_device, 1);
  EXPECT_EQ(counts_of([&] { there.clone(); }).copies_on_device, 1);
  const auto back = counts_of([&] { there.cpu(); });
  EXPECT_EQ(back.copies_to_host, 1);
  EXPECT_EQ(back.bytes_to_host, 9 * 4);
  EXPECT_EQ(back.operations, 0);
}

TEST(TestDevice, KnowsPageLockedMemory) {
  const auto x = torch::arange(5);
  const auto pinned = x.pin_memory();
  EXPECT_FALSE(x.is_pinned());
  EXPECT_TRUE(pinned.is_pinned());
  EXPECT_TRUE(pinned.is_cpu());
  EXPECT_TRUE(pinned.equal(x));
  EXPECT_TRUE(pinned.to(kCUDA).cpu().equal(x));
}

TEST(TestDevice, CountsWaits) {
  const auto x = torch::ones({3}, kCUDA);
  EXPECT_EQ(counts_of([&] { x + x; }).host_waits, 0);
  EXPECT_EQ(counts_of([&] { x.cpu(); }).host_waits, 1);
  EXPECT_EQ(counts_of([&] { x[0].item<float>(); }).host_waits, 1);
  EXPECT_EQ(counts_of([&] { x.equal(x); }).host_waits, 1);
  EXPECT_EQ(counts_of([&] { x.nonzero(); }).host_waits, 1);
  EXPECT_EQ(counts_of([&] { x.index({x.gt(0)}); }).host_waits, 1) << "the number of elements";
  EXPECT_EQ(counts_of([&] { x.index_put_({x.gt(0)}, x); }).host_waits, 1);
  EXPECT_EQ(counts_of([&] { x.index({torch::tensor({0})}); }).host_waits, 1) << "it is copied";
  const auto here = torch::ones({3});
  const auto copy = [&](const Tensor& from, bool non_blocking) {
    return counts_of([&] { from.to(torch::TensorOptions(kCUDA), non_blocking); }).host_waits;
  };
  EXPECT_EQ(copy(here, false), 1);
  EXPECT_EQ(copy(here, true), 1) << "not page-locked";
  EXPECT_EQ(copy(here.pin_memory(), false), 1);
  EXPECT_EQ(copy(here.pin_memory(), true), 0);
  EXPECT_EQ(copy(here.pin_memory().slice(0, 1), true), 0);
}

}  // namespace
}  // namespace tfm
