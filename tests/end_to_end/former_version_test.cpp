// Reads the files of an earlier version of tfm (golden/former_run): a run that was stopped at
// update 100 of 200. The current program must resume the run and translate with its model.
//
// The run was made from data/toy with the program of commit 2bdfb0d. Its earlier checkpoint, its
// report.html and its TensorBoard file were removed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class FormerVersion : public testing::Test {
 protected:
  FormerVersion() {
    std::filesystem::copy(golden, place.folder.path("run"),
                          std::filesystem::copy_options::recursive);
  }

  /// Returns the losses of the events of this kind in metrics.jsonl, by step.
  std::map<int, double> losses(const std::string& kind) const {
    std::map<int, double> result;
    std::istringstream lines(place.folder.read("run/metrics.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line);
      if (event.at("event") == kind) result[event.at("step")] = event.at("loss");
    }
    return result;
  }

  const std::filesystem::path golden =
      std::filesystem::path(TFM_SOURCE_DIR) / "tests/end_to_end/golden/former_run";
  Workplace place;
};

TEST_F(FormerVersion, ModelStillTranslates) {
  const auto outcome = place.tfm("translate -m run", "ich mochte ein bier\nich mochte ein cola\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "i want a beer .\ni want a coke .\n");
}

TEST_F(FormerVersion, ResumedRunHasTheLossesOfTheFormerProgram) {
  const auto before = place.folder.read("run/metrics.jsonl");
  const auto outcome = place.tfm("train --config run/config.yaml --resume training.max_steps=200");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(place.folder.read("run/metrics.jsonl"), StartsWith(before));
  // The former program logged these losses when it resumed the run. They depend on the random
  // numbers, the optimizer's moments, the schedule and the position in the data.
  const std::map<int, double> expected{{110, 0.1714}, {120, 0.1762}, {130, 0.1442}, {140, 0.1315},
                                       {150, 0.1573}, {160, 0.1058}, {170, 0.0762}, {180, 0.1004},
                                       {190, 0.0949}, {200, 0.0789}};
  const auto steps = losses("step");
  for (const auto& [step, loss] : expected) {
    ASSERT_TRUE(steps.contains(step)) << step;
    EXPECT_NEAR(steps.at(step), loss, 1e-3) << step;
  }
  EXPECT_NEAR(losses("validation").at(200), 0.0566, 1e-3);
}

TEST_F(FormerVersion, AveragesAFormerCheckpointWithANewOne) {
  const auto resumed = place.tfm("train --config run/config.yaml --resume training.max_steps=150");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const auto outcome = place.tfm("average run --last 2 -o mean");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(place.tfm("translate -m mean 'ich mochte ein bier'").out, "i want a beer .\n");
}

TEST_F(FormerVersion, ModelInfoDescribesAFormerModel) {
  const auto outcome = place.tfm("model info run");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("step"));
}

}  // namespace
}  // namespace tfm
