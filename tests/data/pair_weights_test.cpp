#include "tfm/data/pair_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(PairWeights, HasANumberForEachLine) {
  const TemporaryFolder folder;
  const PairWeights weights(folder.write("w", "1\n0.25\n\t0 \r\n1e1"));
  EXPECT_EQ(weights.of_line(1), 1);
  EXPECT_EQ(weights.of_line(2), 0.25);
  EXPECT_EQ(weights.of_line(3), 0);
  EXPECT_EQ(weights.of_line(4), 10);
}

TEST(PairWeights, IsOneNumberForAllLines) {
  const PairWeights weights(0.5);
  EXPECT_EQ(weights.of_line(1), 0.5);
  EXPECT_EQ(weights.of_line(123'456'789'012), 0.5);
  weights.require_lines(123'456'789'012, 0);
}

TEST(PairWeights, RejectsALineThatIsNotANumber) {
  const TemporaryFolder folder;
  for (const char* line : {"", "x", "-1", "nan", "inf", "1 2", "0,5", "1e99"}) {
    const auto file = folder.write("w", std::string("1\n") + line + "\n1\n");
    EXPECT_THAT(message_of<DataError>([&] { PairWeights{file}; }), HasSubstr("w:2")) << line;
  }
  EXPECT_THAT(message_of<DataError>([&] { PairWeights{folder.write("w", "")}; }),
              HasSubstr("empty"));
}

TEST(PairWeights, RequiresAsManyNumbersAsLines) {
  const TemporaryFolder folder;
  const PairWeights weights(folder.write("w", "1\n1\n1\n"));
  weights.require_lines(3, 0);
  weights.require_lines(2, 1);  // the last line was not usable
  EXPECT_THAT(message_of<DataError>([&] { weights.require_lines(4, 0); }),
              HasSubstr("3 weights, but its text has 4 lines"));
  EXPECT_THAT(message_of<DataError>([&] { weights.require_lines(2, 0); }),
              HasSubstr("3 weights, but its text has 2 lines"));
}

TEST(PairWeights, HasAChecksumOfItsNumbers) {
  const TemporaryFolder folder;
  const PairWeights one(folder.write("a", "1\n0.5\n"));
  EXPECT_EQ(one.checksum(), PairWeights(folder.write("b", "1.0\n5e-1\n")).checksum());
  EXPECT_NE(one.checksum(), PairWeights(folder.write("c", "1\n0.25\n")).checksum());
}

TEST(WeightsOf, FindsTheSet) {
  DataConfig config;
  config.weights = {"clean=2", "bt=0.5"};
  EXPECT_EQ(weights_of(config, "bt").value().of_line(7), 0.5);
  EXPECT_FALSE(weights_of(config, "other").has_value());
}

}  // namespace
}  // namespace tfm
