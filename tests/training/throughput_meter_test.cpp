#include "tfm/training/throughput_meter.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(ThroughputMeter, DividesTokensByTheTimeSinceTheStart) {
  ThroughputMeter meter(100);
  meter.add(600);
  meter.add(400);
  EXPECT_DOUBLE_EQ(meter.tokens_per_second(104), 250);
  EXPECT_DOUBLE_EQ(meter.tokens_per_second(110), 100);
}

TEST(ThroughputMeter, CountsFromZeroAfterReset) {
  ThroughputMeter meter(0);
  meter.add(2000);
  meter.reset(50);
  meter.add(40);
  EXPECT_DOUBLE_EQ(meter.tokens_per_second(52), 20);
}

TEST(ThroughputMeter, IsZeroIfNoTimeHasPassed) {
  ThroughputMeter meter(7);
  meter.add(10);
  EXPECT_EQ(meter.tokens_per_second(7), 0);
}

}  // namespace
}  // namespace tfm
