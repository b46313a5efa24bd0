// Tests multi-process training as a user starts it: with tfm launch, with one command per rank, and
// on two hosts, simulated by network namespaces. If one process is killed, all others must stop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Shell functions for the scripts of the tests. until_training waits until metrics.jsonl has a
/// step; child prints the ID of the n-th child of a process.
constexpr const char* functions = R"(
trap 'exit 124' TERM
until_training() { until grep -qs '"event":"step"' runs/cafe/metrics.jsonl; do sleep 0.1; done; }
child() { cut -d' ' -f"$2" "/proc/$1/task/$1/children"; }
)";

class Launch : public testing::Test {
 protected:
  void SetUp() override {
    if (place
            .tfm("launch --nproc 2 " + train +
                 "training.max_steps=1 training.valid_steps=0 training.run_folder=runs/probe")
            .err.find("without c10d") != std::string::npos) {
      GTEST_SKIP() << "built without c10d";
    }
  }

  /// Runs a shell script with $tfm, $train and the functions above. The exit code is 124 if the
  /// script is stopped after two minutes.
  Outcome run(const std::string& script) const {
    const std::string program = (std::filesystem::path(TFM_BINARY_DIR) / "tfm").string();
    place.folder.write("script", "cd '" + place.folder.path().string() + "'\ntfm='" + program +
                                     "'\ntrain='" + train + "'\n" + functions + script);
    const int status =
        std::system(("timeout -k 10 120 sh '" + place.folder.path("script").string() + "' >'" +
                     place.folder.path("stdout").string() + "' 2>'" +
                     place.folder.path("stderr").string() + "'")
                        .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            place.folder.read("stdout"), place.folder.read("stderr")};
  }

  Workplace place;
  const std::string train =
      "train --config configs/demo.yaml model.hidden_size=32 model.transformer_ff=64 "
      "model.encoder_layers=1 model.decoder_layers=1 "
      "training.batch_size=512 training.valid_sentences=10 decoding.beam_size=1 training.threads=1 "
      "training.schedule=constant "
      "training.warmup_steps=2 "
      "training.log_every=1 ";
};

TEST_F(Launch, TrainsAModelThatTranslates) {
  const auto training =
      place.tfm("launch --nproc 2 " + train + "training.max_steps=10 training.valid_steps=5");
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_EQ(training.out, "");
  EXPECT_THAT(training.err, HasSubstr("communication: each of 2 ranks sent"));
  EXPECT_THAT(training.err, Not(HasSubstr("rank 1:")));
  EXPECT_THAT(place.folder.read("runs/cafe/metrics.jsonl"), HasSubstr("\"comm_wait_seconds\":"));
  EXPECT_EQ(place.tfm("translate -q -m runs/cafe --max-length 5 hallo").code, 0);
}

/// Returns the losses of a run's updates.
std::vector<double> losses_of(const Workplace& place, const std::string& run) {
  std::istringstream lines(place.folder.read("runs/" + run + "/metrics.jsonl"));
  std::vector<double> losses;
  for (std::string line; std::getline(lines, line);) {
    const auto entry = nlohmann::json::parse(line);
    if (entry.contains("loss")) losses.push_back(entry["loss"]);
  }
  return losses;
}

/// The ranks read the text from the cache, and the process keeps it in memory.
TEST_F(Launch, RanksModifyPairsAsOneProcessDoes) {
  const std::string modified = train +
                               "training.max_steps=4 training.valid_steps=0 model.dropout=0 "
                               "'data.modifiers=merge=0.3; upper_case=0.2; typos=0.5' ";
  const auto two_ranks =
      place.tfm("launch --nproc 2 " + modified + "data.cache=cache training.run_folder=runs/two");
  ASSERT_EQ(two_ranks.code, 0) << two_ranks.err;
  EXPECT_THAT(two_ranks.err, HasSubstr("preparing the training data in cache"));
  ASSERT_EQ(place.tfm(modified + "training.accum_count=2 training.run_folder=runs/one").code, 0);
  const auto one = losses_of(place, "one");
  const auto two = losses_of(place, "two");
  ASSERT_GE(one.size(), 4U);
  ASSERT_EQ(two.size(), one.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(two[i], one[i], 1e-5 * one[i]);
}

/// Both ranks take a part of each epoch, so a plan for one of them would be twice too long.
TEST_F(Launch, EndsTheScheduleOfAutomaticStepsWithTheEpochs) {
  const auto training =
      place.tfm("launch --nproc 2 " + train +
                "training.max_steps=auto training.max_epochs=1 training.max_minutes=1 "
                "training.schedule=cosine training.valid_steps=1000 training.log_every=1000");
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_THAT(training.err, HasSubstr("for max_epochs 1 ("));
  EXPECT_THAT(training.err, Not(HasSubstr("cut short")));
}

TEST_F(Launch, StopsAllRanksWhenOneRankIsKilled) {
  const auto outcome = run(R"(
    $tfm launch --nproc 3 $train training.max_steps=1000000 training.valid_steps=0 &
    until_training; kill -KILL $(child $! 2); wait $!)");
  EXPECT_EQ(outcome.code, 137) << outcome.err;
  EXPECT_THAT(outcome.err,
              HasSubstr("rank 1 was terminated by signal 9 (Killed); stopping the other 2"));
}

TEST_F(Launch, RanksStartedByHandStopWhenAnotherRankIsKilled) {
  const auto outcome = run(R"(
    export WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + $$ % 20000))
    RANK=0 $tfm $train training.max_steps=1000000 training.valid_steps=0 & first=$!
    RANK=1 $tfm $train training.max_steps=1000000 training.valid_steps=0 & second=$!
    until_training; kill -KILL $second; wait $first)");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("rank 0: lost contact with another rank ("));
}

TEST_F(Launch, SignalToOneRankSavesACheckpointAndStopsAllRanks) {
  const auto outcome = run(R"(
    $tfm launch --nproc 2 $train training.max_steps=1000000 training.valid_steps=0 &
    until_training; kill -TERM $(child $! 2); wait $!)");
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("everything is saved in runs/cafe"));
  const auto resumed = place.tfm(train + "training.max_steps=1 training.valid_steps=0 --resume");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resuming from runs/cafe/checkpoints/step-"));
}

TEST_F(Launch, ForwardsSignalsToTheRanks) {
  const auto outcome = run(R"(
    $tfm launch --nproc 2 $train training.max_steps=1000000 training.valid_steps=0 & launcher=$!
    until_training; kill -TERM $launcher; wait $launcher)");
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("everything is saved in runs/cafe"));
}

TEST_F(Launch, ReportsAWrongConfigOnceWithExitCode2) {
  const auto outcome = place.tfm("launch --nproc 2 " + train + "training.sead=3");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  const auto hint = outcome.err.find("training.seed");
  EXPECT_NE(hint, std::string::npos);
  EXPECT_EQ(outcome.err.find("training.seed", hint + 1), std::string::npos)
      << "reported once, not by each rank: " << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("rank")));
  EXPECT_EQ(place.tfm("launch --nproc 2 translate hallo").code, 2);
  EXPECT_EQ(place.tfm("launch train --config configs/demo.yaml").code, 2);
}

TEST_F(Launch, PrintsTheHelpOfTrainOnce) {
  const auto outcome = place.tfm("launch --nproc 2 train --help");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto usage = outcome.out.find("Usage:");
  EXPECT_NE(usage, std::string::npos);
  EXPECT_EQ(outcome.out.find("Usage:", usage + 1), std::string::npos);
}

/// Only rank 0 opens the run folder and reports the refusal. The other ranks report nothing.
TEST_F(Launch, ReportsARefusedRunFolderOnce) {
  const auto outcome = place.tfm("launch --nproc 2 " + train +
                                 "training.max_steps=1 training.run_folder=runs/probe");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("rank 0: training.run_folder: runs/probe already contains"));
  EXPECT_THAT(outcome.err, HasSubstr("rank 0 failed with exit code 2"));
  for (const char* misleading : {"rank 1", "lost contact", "checkpoint"})
    EXPECT_THAT(outcome.err, Not(HasSubstr(misleading)));
}

TEST_F(Launch, TrainsOnTwoHosts) {
  const auto outcome = run(R"(
    a=tfm$$a b=tfm$$b
    trap 'ip netns del $a; ip netns del $b' EXIT
    { ip netns add $a && ip netns add $b &&
      ip link add a$$ netns $a type veth peer name b$$ netns $b; } 2>/dev/null || exit 99
    ip -n $a addr add 10.77.0.1/24 dev a$$; ip -n $b addr add 10.77.0.2/24 dev b$$
    ip -n $a link set lo up; ip -n $a link set a$$ up
    ip -n $b link set lo up; ip -n $b link set b$$ up
    export WORLD_SIZE=2 MASTER_ADDR=10.77.0.1 MASTER_PORT=29500
    RANK=0 ip netns exec $a $tfm $train training.max_steps=5 training.valid_steps=0 & first=$!
    RANK=1 ip netns exec $b $tfm $train training.max_steps=5 training.valid_steps=0 &&
      wait $first)");
  if (outcome.code == 99) GTEST_SKIP() << "network namespaces are not permitted here";
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("finished: max_steps 5 reached"));
}

}  // namespace
}  // namespace tfm
