#include "tfm/run/run_page_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/file_lock.h"
#include "tfm/run/run_facts.h"
#include "tfm/run/run_page_file.h"

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

TEST_F(ReadRun, ReturnsOneCurvePerMetricAndValidationSet) {
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
  const auto file = (folder.path() / "metrics.jsonl").string();
  const auto warning = [&](int line) {
    return fmt::format("{}:{}: this event is ignored, because a field has the wrong type\n", file,
                       line);
  };
  EXPECT_EQ(log.text(), warning(1) + warning(2));
  write_run_page(folder.path());
  EXPECT_EQ(log.text(), warning(1) + warning(2)) << "a session warns only once";
}

TEST_F(ReadRun, CollectsTheTranslationsOfEachSample) {
  const auto report = read();
  ASSERT_EQ(report.samples.size(), 1u);
  EXPECT_THAT(report.samples[0].hypotheses, ElementsAre(Pair(5, "h"), Pair(10, "i")));
}

TEST_F(ReadRun, ReturnsTheBestStepAndTheRunsState) {
  EXPECT_EQ(read().best_step, 5);
  EXPECT_TRUE(read().running);
  folder.write("report.json", R"({"finished": "max_steps 10 reached", "steps": 10})");
  EXPECT_FALSE(read().running);
  EXPECT_EQ(read().state, "finished: max_steps 10 reached");
  EXPECT_THAT(read().results, testing::Contains(Pair("Training time", "2m02s")));
  folder.write("report.json", R"({"finished": "max_steps 7 reached", "steps": 7})");
  EXPECT_TRUE(read().running) << "the run was resumed after this end";
}

/// report.json has the end of an earlier session until this one ends.
TEST_F(ReadRun, IgnoresTheRecordedEndIfALaterSessionHasNotFinished) {
  folder.write("report.json",
               R"({"finished": "max_steps 10 reached", "steps": 10, "seconds": 150.2})");
  const auto set_status = [&](const std::string& state) {
    folder.write("status.json",
                 fmt::format(R"({{"state": "{}", "step": 10, "epoch": 1, "checkpoint": 10, )"
                             R"("reason": "interrupted at step 12", "pid": 1, )"
                             R"("changed": "2026-01-01T00:00:00Z"}})",
                             state));
  };
  const FileLock lock(folder.path("lock"));
  set_status("running");
  EXPECT_EQ(read().state, "running");
  EXPECT_TRUE(read().running);
  EXPECT_THAT(read().results, testing::Contains(Pair("Training time", "2m02s")));
  set_status("interrupted");
  EXPECT_EQ(read().state, "interrupted at step 12");
  set_status("finished");
  EXPECT_EQ(read().state, "finished: max_steps 10 reached");
}

TEST_F(ReadRun, SaysThatTheScheduleWasCutShort) {
  folder.write("report.json", R"({"finished": "max_minutes 4 reached", "steps": 10, )"
                              R"("schedule": "cut short at step 10 of 20"})");
  EXPECT_EQ(read().state, "finished: max_minutes 4 reached; schedule cut short at step 10 of 20");
}

/// The last validation comes after the last line of metrics.jsonl that has a time.
TEST_F(ReadRun, TakesTheTrainingTimeOfAnEndedRunFromReportJson) {
  folder.write("report.json",
               R"({"finished": "max_steps 10 reached", "steps": 10, "seconds": 150.2})");
  EXPECT_THAT(read().results, testing::Contains(Pair("Training time", "2m30s")));
  folder.write("report.json",
               R"({"finished": "max_steps 7 reached", "steps": 7, "seconds": 150.2})");
  EXPECT_THAT(read().results, testing::Contains(Pair("Training time", "2m02s")))
      << "the run was resumed after this end";
}

TEST_F(ReadRun, StateIsRunningOnlyIfAProcessHoldsTheLock) {
  folder.write("status.json", R"({"state": "running", "step": 12, "epoch": 1, "checkpoint": 5, )"
                              R"("pid": 1, "changed": "2026-01-01T00:00:00Z"})");
  EXPECT_FALSE(read().running);
  EXPECT_THAT(read().state, HasSubstr("died at step 12 or later"));
  const FileLock lock(folder.path("lock"));
  EXPECT_TRUE(read().running);
  EXPECT_EQ(read().state, "running");
}

TEST_F(ReadRun, ReturnsTheScoresOfTheBestModel) {
  EXPECT_THAT(read().results, ElementsAre(Pair("Step", "10"), Pair("Training time", "2m02s"),
                                          Pair("Best step", "5"), Pair("Validation loss", "4.0000"),
                                          Pair("BLEU", "1.00"), Pair("chrF2", "10.00")));
}

TEST_F(ReadRun, ReturnsTheRunFactsOfTheLastSession) {
  EXPECT_TRUE(read().facts.empty()) << "runs of earlier versions recorded none";
  const RunFacts first{.tfm = "0.1.0",
                       .device = "cpu",
                       .pairs = 5008,
                       .parameters = 1118208,
                       .source_vocabulary = 1500,
                       .target_vocabulary = 1500,
                       .joint_vocabulary = true};
  auto second = first;
  second.device = "cuda:0";
  second.target_vocabulary = 2000;
  second.joint_vocabulary = false;
  const auto write = [&](const std::string& later) {
    folder.write("metrics.jsonl", to_event(first, 0).dump() + "\n" + metrics + later);
  };
  write("");
  EXPECT_THAT(read_run(folder.path()).facts,
              ElementsAre(Pair("Training pairs", "5,008"), Pair("Parameters", "1,118,208"),
                          Pair("Vocabulary", "1,500 (shared)"), Pair("Device", "CPU"),
                          Pair("tfm", "0.1.0")));
  write(to_event(second, 10).dump() + "\n");
  const auto facts = read_run(folder.path()).facts;
  EXPECT_THAT(facts, testing::Contains(Pair("Device", "cuda:0")));
  EXPECT_THAT(facts, testing::Contains(Pair("Vocabulary", "1,500 and 2,000")));
}

TEST_F(ReadRun, ReturnsChangedSettingsAndLanguagesOfTheConfig) {
  folder.write("config.yaml",
               "model:\n  heads: 2\ndata:\n  train_source: a/train.de\n"
               "  train_target: a/train.en.gz\n");
  const auto report = read();
  EXPECT_THAT(report.settings,
              ElementsAre(Pair("model.heads", "2"), Pair("data.train_source", "a/train.de"),
                          Pair("data.train_target", "a/train.en.gz")));
  EXPECT_THAT(report.facts, ElementsAre(Pair("Languages", "de → en")));
  folder.write("config.yaml",
               "data:\n  train_source: train.source\n  train_target: train.en\n"
               "  source_language: gsw\n");
  EXPECT_THAT(read().facts, ElementsAre(Pair("Languages", "gsw → en")));
  folder.write("config.yaml", "data:\n  train_source: train.source\n  train_target: train.en\n");
  EXPECT_TRUE(read().facts.empty()) << "source is not a language";
  folder.write("config.yaml", "no: config");
  const CapturedLog log;
  EXPECT_EQ(read().config, "no: config");
  EXPECT_THAT(log.text(), HasSubstr("no changed settings"));
}

/// A step is validated a second time if training ends with averaged checkpoints or if the metric
/// changes.
TEST_F(ReadRun, ReturnsOnePointForAStepThatWasValidatedTwice) {
  const std::string last = R"({"event":"validation","step":20,"loss":2.0,"bleu":5.0,"chrf":8.0,)";
  const std::string sample = R"("samples":[{"source":"s","hypothesis":"j","reference":"r"}]})";
  const auto bleu = [&](const std::string& later) {
    folder.write("metrics.jsonl", metrics + later);
    const auto report = read_run(folder.path());
    const auto& points = chart(report, "BLEU").curves.at(0).points;
    EXPECT_EQ(points.size(), 3u);
    EXPECT_EQ(report.samples.at(0).hypotheses.size(), 3u);
    return points.back().second;
  };
  const std::string worse = R"({"event":"validation","step":20,"loss":3.0,"bleu":4.0,"chrf":8.0,)";
  EXPECT_EQ(bleu(last + R"("best":true,)" + sample + "\n" + worse + R"("best":false,)" + sample), 5)
      << "a worse average is not the model";
  EXPECT_EQ(bleu(worse + R"("best":true,)" + sample + "\n" + last + R"("best":true,)" + sample), 5)
      << "a better average is";
  EXPECT_EQ(bleu(last + R"("best":true,)" + sample + "\n" +
                 R"({"event":"metric_changed","step":20,"best_validation":{"step":20}})" + "\n" +
                 worse + R"("best":false,)" + sample),
            4)
      << "the score by the new metric";
}

TEST_F(ReadRun, ThinsALongCurveButKeepsItsFirstAndLastPoint) {
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

TEST_F(ReadRun, ThrowsIfMetricsJsonlIsMissing) {
  EXPECT_THAT(message_of<ModelError>([&] { read_run(folder.path()); }),
              HasSubstr("holds no metrics.jsonl"));
}

}  // namespace
}  // namespace tfm
