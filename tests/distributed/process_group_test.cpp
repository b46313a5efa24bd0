#include "tfm/distributed/process_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "multi_process.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DISABLED_RankBody, ProcessGroupSumsOverAllRanks) {
  const ProcessGroup group(rank_environment());
  const auto tensor = torch::arange(1000, torch::kFloat32) * (group.rank() + 1);
  const auto other = torch::full({3}, group.rank(), torch::kFloat32);
  auto first = group.all_reduce_async(tensor);
  auto second = group.all_reduce_async(other);
  second.wait();
  first.wait();
  const int n = group.size();
  EXPECT_TRUE(tensor.equal(torch::arange(1000, torch::kFloat32) * (n * (n + 1) / 2)));
  EXPECT_TRUE(other.equal(torch::full({3}, n * (n - 1) / 2, torch::kFloat32)));
  std::array<double, 2> numbers{group.rank() * 0.5, 1e300 / n};
  group.all_reduce(numbers);
  EXPECT_DOUBLE_EQ(numbers[0], n * (n - 1) / 4.0);
  EXPECT_DOUBLE_EQ(numbers[1], 1e300);
  EXPECT_DOUBLE_EQ(group.comm_stats().bytes, 2.0 * (n - 1) / n * (4000 + 12 + 16));
}

TEST(DISABLED_RankBody, ProcessGroupBroadcastsFromRankZero) {
  const ProcessGroup group(rank_environment());
  EXPECT_EQ(group.broadcast(group.is_main() ? "runs/ä b" : "a text of another length"), "runs/ä b");
  EXPECT_EQ(group.broadcast(group.is_main() ? "" : "x"), "");
  const auto tensor = torch::full({2, 3}, group.rank(), torch::kFloat32);
  // The column is not contiguous.
  const auto column = torch::full({4, 2}, group.rank(), torch::kFloat32).select(1, 0);
  broadcast_all(group, {tensor, column});
  EXPECT_TRUE(tensor.equal(torch::zeros({2, 3})));
  EXPECT_TRUE(column.equal(torch::zeros({4})));
}

TEST(DISABLED_RankBody, ProcessGroupDetectsADifferenceBetweenRanks) {
  const ProcessGroup group(rank_environment());
  auto tensor = torch::linspace(0, 1, 50);
  check_tensors_identical(group, {tensor, torch::ones({2})}, "the tensors");
  if (group.rank() == group.size() - 1) tensor[17] = std::nextafter(tensor[17].item<float>(), 2.0F);
  EXPECT_THAT(message_of<CommunicationError>([&] {
                check_tensors_identical(group, {tensor, torch::ones({2})}, "the tensors");
              }),
              HasSubstr("the ranks disagree on the tensors (ranks that differ from rank 0: 1)"));
  EXPECT_THROW(check_same_on_all_ranks(group, std::to_string(group.rank()), "the rank"),
               CommunicationError);
}

TEST(DISABLED_RankBody, ProcessGroupDetectsTheDeathOfRankOne) {
  // The launcher's signal is ignored, because this rank must detect the death by itself.
  std::signal(SIGTERM, SIG_IGN);
  const ProcessGroup group(rank_environment());
  group.barrier();
  if (group.rank() == 1) std::raise(SIGKILL);
  EXPECT_THAT(message_of<CommunicationError>([&] {
                while (true) group.barrier();
              }),
              HasSubstr("lost contact with another rank ("));
  std::ofstream(rank_folder() / ("detected" + std::to_string(group.rank()))) << "yes";
}

/// Returns the local addresses on which sockets of this machine listen at the port, in the
/// hexadecimal form of /proc/net.
std::vector<std::string> listening_addresses(std::uint16_t port) {
  constexpr std::string_view listening = "0A";
  std::vector<std::string> addresses;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream rows(table);
    std::string row;
    std::getline(rows, row);  // skips the heading
    while (std::getline(rows, row)) {
      std::string number, local, remote, state;
      std::istringstream(row) >> number >> local >> remote >> state;
      const auto colon = local.find(':');
      if (state == listening && std::stoi(local.substr(colon + 1), nullptr, 16) == port)
        addresses.push_back(local.substr(0, colon));
    }
  }
  return addresses;
}

TEST(DISABLED_RankBody, ProcessGroupListensOnLoopbackOnly) {
  const ProcessGroup group(rank_environment());
  constexpr const char* loopback = "0100007F";  // 127.0.0.1 in the kernel's byte order
  EXPECT_THAT(listening_addresses(rank_environment().master_port), ElementsAre(loopback));
  group.barrier();
}

TEST(DISABLED_RankBody, ProcessGroupWaitsLongerForRankZero) {
  using namespace std::chrono_literals;
  const ProcessGroup group(rank_environment(),
                           {.connect = 1min, .collective = 300ms, .rank_zero_work = 2min});
  std::array<double, 1> one{1};
  if (group.is_main()) std::this_thread::sleep_for(1s);
  group.all_reduce_patient(one);
  EXPECT_EQ(one[0], group.size());
  const auto detected = rank_folder() / "detected";
  if (group.is_main()) {
    while (!std::filesystem::exists(detected)) std::this_thread::sleep_for(10ms);
  } else {
    EXPECT_THROW(group.barrier(), CommunicationError);
    std::ofstream(detected) << "yes";
  }
}

class MultiRankProcessGroup : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_c10d()) GTEST_SKIP() << "built without c10d";
  }
  TemporaryFolder folder;
};

TEST_F(MultiRankProcessGroup, SumsTensorsAndNumbers) {
  EXPECT_EQ(run_ranks(2, "ProcessGroupSumsOverAllRanks"), 0);
  EXPECT_EQ(run_ranks(3, "ProcessGroupSumsOverAllRanks"), 0);
}

TEST_F(MultiRankProcessGroup, BroadcastsFromRankZero) {
  EXPECT_EQ(run_ranks(3, "ProcessGroupBroadcastsFromRankZero"), 0);
}

TEST_F(MultiRankProcessGroup, ListensOnlyOnLoopbackIfAllRanksAreOnOneMachine) {
  EXPECT_EQ(run_ranks(2, "ProcessGroupListensOnLoopbackOnly"), 0);
}

TEST_F(MultiRankProcessGroup, DetectsADifferenceOfOneBit) {
  EXPECT_EQ(run_ranks(3, "ProcessGroupDetectsADifferenceBetweenRanks"), 0);
}

TEST_F(MultiRankProcessGroup, DetectsADeadRank) {
  EXPECT_EQ(run_ranks(3, "ProcessGroupDetectsTheDeathOfRankOne", folder.path()), 137);
  EXPECT_EQ(folder.read("detected0"), "yes");
  EXPECT_EQ(folder.read("detected2"), "yes");
}

TEST_F(MultiRankProcessGroup, UsesTheLongTimeoutOnlyForWorkOfRankZero) {
  EXPECT_EQ(run_ranks(2, "ProcessGroupWaitsLongerForRankZero", folder.path()), 0);
}

TEST(ProcessGroup, CollectivesLeaveValuesUnchangedInAGroupOfOneRank) {
  const ProcessGroup group;
  std::array<double, 1> number{4};
  group.all_reduce(number);
  group.barrier();
  EXPECT_EQ(number[0], 4);
  EXPECT_EQ(group.broadcast("text"), "text");
  EXPECT_EQ(group.comm_stats().bytes, 0);
  EXPECT_TRUE(group.is_main());
}

/// Returns the environment of rank 1, whose rank 0 does not exist: no process listens on port 1.
RankEnvironment rank_without_main() {
  RankEnvironment environment;
  environment.size = 2;
  environment.rank = 1;
  environment.master_address = "127.0.0.1";
  environment.master_port = 1;
  return environment;
}

constexpr Timeouts brief{.connect = std::chrono::milliseconds(200)};

TEST(ProcessGroup, ErrorNamesTheAddressIfConnectingFails) {
  const auto message =
      message_of<CommunicationError>([] { const ProcessGroup group(rank_without_main(), brief); });
  EXPECT_THAT(message, HasSubstr(has_c10d() ? "127.0.0.1:1" : "without c10d"));
}

/// The launcher reports why rank 0 ended, so the other ranks need not report that they miss it.
TEST(ProcessGroup, LosesContactIfTheLaunchersRankZeroCannotBeReached) {
  if (!has_c10d()) GTEST_SKIP() << "without c10d";
  auto environment = rank_without_main();
  environment.started_by_tfm = true;
  environment.local_size = 2;
  EXPECT_THROW(ProcessGroup(environment, brief), LostContactError);
  environment.local_size = 1;  // rank 0 may be a machine away, behind a firewall
  try {
    const ProcessGroup group(environment, brief);
    FAIL() << "connected";
  } catch (const LostContactError&) {
    FAIL() << "lost contact";
  } catch (const CommunicationError&) {
  }
}

}  // namespace
}  // namespace tfm
