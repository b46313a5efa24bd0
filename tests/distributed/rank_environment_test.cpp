#include "tfm/distributed/rank_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using Values = std::map<std::string, std::string>;

RankEnvironment read_environment(const Values& values) {
  return rank_environment(
      [&](const char* name) { return values.contains(name) ? values.at(name).c_str() : nullptr; });
}

const Values torchrun = {{"RANK", "3"},
                         {"WORLD_SIZE", "4"},
                         {"LOCAL_RANK", "1"},
                         {"LOCAL_WORLD_SIZE", "2"},
                         {"MASTER_ADDR", "node0"},
                         {"MASTER_PORT", "29500"}};

Values with(Values values, const std::string& name, const std::string& value) {
  values[name] = value;
  return values;
}

TEST(RankEnvironment, HasASingleRankIfWorldSizeIsUnsetEmptyOrOne) {
  EXPECT_EQ(read_environment({}).size, 1);
  EXPECT_EQ(read_environment({{"WORLD_SIZE", ""}, {"RANK", "5"}}).rank, 0);
  EXPECT_EQ(read_environment({{"WORLD_SIZE", "1"}, {"RANK", "0"}}).size, 1);
}

TEST(RankEnvironment, ReadsVariablesOfTorchrun) {
  const auto environment = read_environment(torchrun);
  EXPECT_EQ(environment.rank, 3);
  EXPECT_EQ(environment.size, 4);
  EXPECT_EQ(environment.local_rank, 1);
  EXPECT_EQ(environment.local_size, 2);
  EXPECT_EQ(environment.master_address, "node0");
  EXPECT_EQ(environment.master_port, 29500);
  EXPECT_FALSE(environment.use_agent_store);
  EXPECT_TRUE(
      read_environment(with(torchrun, "TORCHELASTIC_USE_AGENT_STORE", "True")).use_agent_store);
  EXPECT_EQ(read_environment(with(torchrun, "TORCHELASTIC_RESTART_COUNT", "2")).restart_count, "2");
  EXPECT_FALSE(environment.started_by_tfm);
  EXPECT_TRUE(read_environment(with(torchrun, "TFM_LAUNCHED", "1")).started_by_tfm);
}

TEST(RankEnvironment, ReadsVariablesOfSlurmAndOpenMpiIfTheMasterAddressIsSet) {
  const Values slurm = {{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "2"}};
  EXPECT_EQ(read_environment(slurm).size, 1);  // a shell in an allocation is not a run of 8 ranks
  const auto environment =
      read_environment(with(with(slurm, "MASTER_ADDR", "node0"), "MASTER_PORT", "29500"));
  EXPECT_EQ(environment.rank, 2);
  EXPECT_EQ(environment.size, 8);
  EXPECT_EQ(environment.local_rank, 2);
  EXPECT_EQ(read_environment({{"OMPI_COMM_WORLD_RANK", "1"},
                              {"OMPI_COMM_WORLD_SIZE", "2"},
                              {"MASTER_ADDR", "a"},
                              {"MASTER_PORT", "1"}})
                .rank,
            1);
}

TEST(RankEnvironment, ErrorNamesTheMissingOrInvalidVariable) {
  for (const char* name : {"RANK", "MASTER_ADDR", "MASTER_PORT"}) {
    EXPECT_THAT(message_of<ConfigError>([&] { read_environment(with(torchrun, name, "")); }),
                HasSubstr(std::string(name) + ": is not set, but WORLD_SIZE is 4"));
  }
  for (const auto& [name, value] : Values{
           {"RANK", "4"}, {"WORLD_SIZE", "two"}, {"MASTER_PORT", "99999"}, {"LOCAL_RANK", "-1"}}) {
    const Values values = with(torchrun, name, value);
    EXPECT_THAT(message_of<ConfigError>([&values] { read_environment(values); }),
                HasSubstr(name + ": '" + value + "' is not a number"));
  }
}

TEST(RankEnvironment, DividesCoresAndGpusAmongTheRanks) {
  RankEnvironment single;
  EXPECT_EQ(threads_per_rank(single, 0), 0);
  EXPECT_EQ(local_device(single, "auto", 4), "auto");
  const auto fourth = read_environment(torchrun);
  EXPECT_EQ(threads_per_rank(fourth, 3), 3);
  EXPECT_GE(threads_per_rank(fourth, 0), 1);
  EXPECT_EQ(local_device(fourth, "auto", 2), "cuda:1");
  EXPECT_EQ(local_device(fourth, "auto", 0), "auto");
  EXPECT_EQ(local_device(fourth, "cuda:0", 2), "cuda:0");
}

}  // namespace
}  // namespace tfm
