#include "tfm/distributed/process_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <thread>

#include "ranks.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DISABLED_Rank, Sums) {
  const World world(rank_environment());
  const auto tensor = torch::arange(1000, torch::kFloat32) * (world.rank() + 1);
  const auto other = torch::full({3}, world.rank(), torch::kFloat32);
  auto first = world.start_all_reduce(tensor);
  auto second = world.start_all_reduce(other);
  second.wait();
  first.wait();
  const int n = world.size();
  EXPECT_TRUE(tensor.equal(torch::arange(1000, torch::kFloat32) * (n * (n + 1) / 2)));
  EXPECT_TRUE(other.equal(torch::full({3}, n * (n - 1) / 2, torch::kFloat32)));
  std::array<double, 2> numbers{world.rank() * 0.5, 1e300 / n};
  world.all_reduce(numbers);
  EXPECT_DOUBLE_EQ(numbers[0], n * (n - 1) / 4.0);
  EXPECT_DOUBLE_EQ(numbers[1], 1e300);
  EXPECT_DOUBLE_EQ(world.traffic().bytes, 2.0 * (n - 1) / n * (4000 + 12 + 16));
}

TEST(DISABLED_Rank, HearsRankZero) {
  const World world(rank_environment());
  EXPECT_EQ(world.broadcast(world.is_first() ? "runs/ä b" : "something of another length"),
            "runs/ä b");
  EXPECT_EQ(world.broadcast(world.is_first() ? "" : "x"), "");
  const auto tensor = torch::full({2, 3}, world.rank(), torch::kFloat32);
  // not contiguous
  const auto column = torch::full({4, 2}, world.rank(), torch::kFloat32).select(1, 0);
  broadcast_all(world, {tensor, column});
  EXPECT_TRUE(tensor.equal(torch::zeros({2, 3})));
  EXPECT_TRUE(column.equal(torch::zeros({4})));
}

TEST(DISABLED_Rank, NoticesADifference) {
  const World world(rank_environment());
  auto tensor = torch::linspace(0, 1, 50);
  require_identical(world, {tensor, torch::ones({2})}, "the tensors");
  if (world.rank() == world.size() - 1) tensor[17] = std::nextafter(tensor[17].item<float>(), 2.0F);
  EXPECT_THAT(message_of<CommunicationError>(
                  [&] { require_identical(world, {tensor, torch::ones({2})}, "the tensors"); }),
              HasSubstr("the tensors differs between the ranks (1 differ from rank 0)"));
  EXPECT_THROW(require_same(world, std::to_string(world.rank()), "the rank"), CommunicationError);
}

TEST(DISABLED_Rank, SurvivesRankOne) {
  std::signal(SIGTERM, SIG_IGN);  // of the launcher: this rank is to notice by itself
  const World world(rank_environment());
  world.barrier();
  if (world.rank() == 1) std::raise(SIGKILL);
  EXPECT_THAT(message_of<CommunicationError>([&] {
                while (true) world.barrier();
              }),
              HasSubstr("lost contact to another rank ("));
  std::ofstream(rank_folder() / ("noticed" + std::to_string(world.rank()))) << "yes";
}

TEST(DISABLED_Rank, WaitsForRankZero) {
  using namespace std::chrono_literals;
  const World world(rank_environment(), {.connect = 1min, .collective = 300ms, .first_rank = 2min});
  std::array<double, 1> one{1};
  if (world.is_first()) std::this_thread::sleep_for(1s);
  world.all_reduce_after_first(one);
  EXPECT_EQ(one[0], world.size());
  const auto noticed = rank_folder() / "noticed";
  if (world.is_first()) {
    while (!std::filesystem::exists(noticed)) std::this_thread::sleep_for(10ms);
  } else {
    EXPECT_THROW(world.barrier(), CommunicationError);
    std::ofstream(noticed) << "yes";
  }
}

class Ranks : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  }
  TemporaryFolder folder;
};

TEST_F(Ranks, SumTensorsAndNumbers) {
  EXPECT_EQ(launch_ranks(2, "Sums"), 0);
  EXPECT_EQ(launch_ranks(3, "Sums"), 0);
}

TEST_F(Ranks, HearRankZero) { EXPECT_EQ(launch_ranks(3, "HearsRankZero"), 0); }

TEST_F(Ranks, NoticeOneBitOfDifference) { EXPECT_EQ(launch_ranks(3, "NoticesADifference"), 0); }

TEST_F(Ranks, NoticeThatOneDied) {
  EXPECT_EQ(launch_ranks(3, "SurvivesRankOne", folder.path()), 137);
  EXPECT_EQ(folder.read("noticed0"), "yes");
  EXPECT_EQ(folder.read("noticed2"), "yes");
}

TEST_F(Ranks, WaitLongForRankZeroAndNotForOthers) {
  EXPECT_EQ(launch_ranks(2, "WaitsForRankZero", folder.path()), 0);
}

TEST(World, OfOneNeedsNobody) {
  const World world;
  std::array<double, 1> number{4};
  world.all_reduce(number);
  world.barrier();
  EXPECT_EQ(number[0], 4);
  EXPECT_EQ(world.broadcast("text"), "text");
  EXPECT_EQ(world.traffic().bytes, 0);
  EXPECT_TRUE(world.is_first());
}

TEST(World, SaysWhereItLookedForTheOthers) {
  RankEnvironment environment;
  environment.size = 2;
  environment.rank = 1;
  environment.master_address = "127.0.0.1";
  environment.master_port = 1;  // nobody listens there
  const auto message = message_of<CommunicationError>(
      [&] { const World world(environment, {.connect = std::chrono::milliseconds(200)}); });
  EXPECT_THAT(message, HasSubstr(has_c10d() ? "127.0.0.1:1" : "without c10d"));
}

}  // namespace
}  // namespace tfm
