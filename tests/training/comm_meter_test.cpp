#include "tfm/training/comm_meter.h"

#include <gtest/gtest.h>

#include "captured_log.h"

namespace tfm {
namespace {

void expect_cost(const std::optional<CommStats>& cost, double bytes, double wait_seconds) {
  ASSERT_TRUE(cost);
  EXPECT_DOUBLE_EQ(cost->bytes, bytes);
  EXPECT_DOUBLE_EQ(cost->wait_seconds, wait_seconds);
}

TEST(CommMeter, ReturnsTheMeanCostPerUpdateSinceThePreviousCall) {
  CommMeter meter(/*ranks=*/2);
  meter.begin({.bytes = 1000, .wait_seconds = 1}, /*step=*/10);
  expect_cost(meter.since_last({.bytes = 1400, .wait_seconds = 3}, 14), 100, 0.5);
  expect_cost(meter.since_last({.bytes = 1500, .wait_seconds = 3}, 15), 100, 0);
  EXPECT_FALSE(meter.since_last({.bytes = 1600, .wait_seconds = 4}, 15))
      << "no update since the previous call";
  expect_cost(meter.since_last({.bytes = 1700, .wait_seconds = 4}, 16), 100, 0);
}

TEST(CommMeter, ReturnsTheMeanCostPerUpdateSinceBegin) {
  CommMeter meter(2);
  meter.begin({.bytes = 1000, .wait_seconds = 1}, 10);
  meter.since_last({.bytes = 5000, .wait_seconds = 1}, 11);
  expect_cost(meter.since_begin({.bytes = 5000, .wait_seconds = 3}, 20), 400, 0.2);
  EXPECT_FALSE(meter.since_begin({.bytes = 5000, .wait_seconds = 3}, 10)) << "no update yet";
}

TEST(CommMeter, ReturnsNulloptForASingleProcess) {
  CommMeter meter(/*ranks=*/1);
  meter.begin({}, 0);
  EXPECT_FALSE(meter.since_last({.bytes = 100, .wait_seconds = 1}, 1));
  EXPECT_FALSE(meter.since_begin({.bytes = 100, .wait_seconds = 1}, 1));
  const CapturedLog log;
  meter.log_total({.bytes = 100, .wait_seconds = 1}, 1);
  EXPECT_EQ(log.text(), "");
}

TEST(CommMeter, LogsTheMeanCostPerUpdate) {
  CommMeter meter(3);
  meter.begin({}, 0);
  const CapturedLog log;
  meter.log_total({.bytes = 5e6, .wait_seconds = 0.06}, 4);
  EXPECT_EQ(log.text(),
            "communication: each of 3 ranks sent 1.25 MB and waited 15.0 ms per update\n");
}

}  // namespace
}  // namespace tfm
