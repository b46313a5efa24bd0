#include "tfm/run/scores_by_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/config/config_file.h"
#include "tfm/model/model_files.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::Pair;

class ScoresByStep : public testing::Test {
 protected:
  std::map<std::int64_t, double> read(const std::string& metrics, BestBy best_by = BestBy::bleu) {
    Config config;
    config.training.best_by = best_by;
    folder.write(config_file, write_config(config));
    folder.write("metrics.jsonl", metrics);
    return scores_by_step(folder.path());
  }
  static std::string validation(int step, int bleu) {
    return fmt::format(R"({{"event":"validation","step":{},"loss":2,"bleu":{}}})", step, bleu) +
           "\n";
  }
  static std::string change(const std::string& event, int before, int now) {
    return fmt::format(R"({{"event":"{}","step":8,"before":"{}","now":"{}"}})", event, before,
                       now) +
           "\n";
  }

  TemporaryFolder folder;
};

TEST_F(ScoresByStep, ReturnsTheMetricThatBestBySelectsAndNegatesTheLoss) {
  EXPECT_THAT(read(validation(4, 9) + validation(8, 3)), ElementsAre(Pair(4, 9), Pair(8, 3)));
  EXPECT_THAT(read(validation(4, 9), BestBy::loss), ElementsAre(Pair(4, -2)));
  EXPECT_THAT(read(validation(4, 9), BestBy::chrf), testing::IsEmpty());
}

/// If a step was validated twice, the second score is that of the averaged checkpoints.
TEST_F(ScoresByStep, ReturnsTheFirstScoreOfEachStep) {
  EXPECT_THAT(read(validation(4, 9) + validation(4, 3)), ElementsAre(Pair(4, 9)));
}

/// Former versions called the event metric_changed "measure".
TEST_F(ScoresByStep, LeavesOutScoresByAnotherMetric) {
  for (const std::string event : {"metric_changed", "measure"}) {
    const auto second = validation(4, 9) + change(event, 1, 2) + validation(8, 90);
    EXPECT_THAT(read(second), ElementsAre(Pair(8, 90))) << event;
    EXPECT_THAT(read(second + change(event, 2, 1) + validation(12, 5)),
                ElementsAre(Pair(4, 9), Pair(12, 5)))
        << event;
  }
}

}  // namespace
}  // namespace tfm
