#include "tfm/data/text_checksum.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(TextChecksum, CanBeContinuedWithSettings) {
  const ParallelText text{{"a b", "c"}, {"d", "e f"}, {1, 2}, {}, {}};
  EXPECT_EQ(with_settings(checksum(text), "batch_size 7"), checksum(text, "batch_size 7"));
  EXPECT_NE(with_settings(checksum(text), "batch_size 8"), checksum(text, "batch_size 7"));
}

}  // namespace
}  // namespace tfm
