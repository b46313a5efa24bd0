#include "tfm/run/run_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/file_lock.h"
#include "tfm/run/run_page.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* metrics =
    R"({"event":"step","step":5,"epoch":0,"loss":4.5,"learning_rate":0.1,)"
    R"("gradient_norm":null,"tokens_per_second":100.0,"seconds":61.0}
{"event":"validation","step":5,"loss":4.0,"bleu":1.0,"chrf":10.0,"best":true,)"
    R"("sets":{"news":{"loss":5.0,"bleu":0.5,"chrf":9.0}},)"
    R"("samples":[{"source":"s","hypothesis":"h","reference":"r"}]}
no json
{"event":"step","step":10,"epoch":0,"loss":3.5,"learning_rate":0.2,)"
    R"("gradient_norm":1.5,"tokens_per_second":100.0,"seconds":122.0}
{"event":"validation","step":10,"loss":3.0,"bleu":2.0,"chrf":8.0,"best":false,)"
    R"("sets":{"news":{"loss":4.5,"bleu":0.5,"chrf":9.0}},)"
    R"("samples":[{"source":"s","hypothesis":"i","reference":"r"}]}
)";

class ReadRun : public testing::Test {
 protected:
  TemporaryFolder folder;
  RunPageData read() const {
    folder.write("metrics.jsonl", metrics);
    return read_run(folder.path());
  }
  static const RunChart& chart(const RunPageData& report, const std::string& title) {
    return *std::find_if(report.charts.begin(), report.charts.end(),
                         [&](const RunChart& chart) { return chart.title == title; });
  }
};

TEST_F(ReadRun, ReturnsACurvePerMetricAndSet) {
  const auto report = read();
  const auto& loss = chart(report, "Loss").curves;
  ASSERT_EQ(loss.size(), 3u);
  EXPECT_EQ(loss[0].name, "training");
  EXPECT_THAT(loss[0].points, ElementsAre(Pair(5, 4.5), Pair(10, 3.5)));
  EXPECT_THAT(loss[1].points, ElementsAre(Pair(5, 4.0), Pair(10, 3.0)));
  EXPECT_EQ(loss[2].name, "news");
  EXPECT_THAT(loss[2].points, ElementsAre(Pair(5, 5.0), Pair(10, 4.5)));
  EXPECT_TRUE(std::isnan(chart(report, "Gradient norm").curves[0].points[0].second))
      << "null stands for a number that was not finite";
}

TEST_F(ReadRun, IgnoresAnEventWithAFieldOfTheWrongType) {
  folder.write("metrics.jsonl",
               std::string(R"({"event":"step","step":"three","epoch":0,"loss":"low"})") + "\n" +
                   R"({"event":["step"],"step":4})" + "\n" + metrics);
  const CapturedLog log;
  const auto report = read_run(folder.path());
  EXPECT_EQ(chart(report, "Loss").curves[0].points.size(), 2u);
  EXPECT_THAT(log.text(), HasSubstr("metrics.jsonl:1: this event is ignored"));
  EXPECT_THAT(log.text(), HasSubstr("metrics.jsonl:2: this event is ignored"));
}

TEST_F(ReadRun, CollectsTheTranslationsOfEachLine) {
  const auto report = read();
  ASSERT_EQ(report.samples.size(), 1u);
  EXPECT_THAT(report.samples[0].hypotheses, ElementsAre(Pair(5, "h"), Pair(10, "i")));
}

TEST_F(ReadRun, ReturnsTheBestStepAndTheRunsState) {
  EXPECT_EQ(read().best_step, 5);
  EXPECT_TRUE(read().running);
  folder.write("report.json", R"({"finished": "max_steps 10 reached", "steps": 10})");
  EXPECT_FALSE(read().running);
  EXPECT_THAT(read().facts, testing::Contains(Pair("State", "finished: max_steps 10 reached")));
  EXPECT_THAT(read().facts, testing::Contains(Pair("Training time", "2m02s")));
  folder.write("report.json", R"({"finished": "max_steps 7 reached", "steps": 7})");
  EXPECT_TRUE(read().running) << "the run was resumed after this end";
}

TEST_F(ReadRun, ReturnsRunningAfterADeadRunWasResumed) {
  folder.write("status.json", R"({"state": "running", "step": 12, "epoch": 1, "checkpoint": 5, )"
                              R"("pid": 1, "changed": "2026-01-01T00:00:00Z"})");
  EXPECT_FALSE(read().running);
  EXPECT_THAT(read().facts,
              testing::Contains(Pair("State", HasSubstr("died at step 12 or later"))));
  const FileLock lock(folder.path("lock"));
  EXPECT_TRUE(read().running);
  EXPECT_THAT(read().facts, testing::Contains(Pair("State", "running")));
}

TEST_F(ReadRun, ThinsALongCurveButKeepsItsEnds) {
  std::string lines;
  for (int step = 1; step <= 5000; ++step)
    lines += fmt::format("{{\"event\":\"step\",\"step\":{},\"loss\":1}}\n", step);
  folder.write("metrics.jsonl", lines);
  const auto points = read_run(folder.path()).charts.front().curves.front().points;
  EXPECT_LE(points.size(), 1500u);
  EXPECT_GE(points.size(), 1000u);
  EXPECT_EQ(points.front().first, 1);
  EXPECT_EQ(points.back().first, 5000);
}

TEST_F(ReadRun, ThrowsIfMetricsAreMissing) {
  EXPECT_THAT(message_of<ModelError>([&] { read_run(folder.path()); }),
              HasSubstr("holds no metrics.jsonl"));
}

}  // namespace
}  // namespace tfm
