#include "tfm/data/packed_examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "property.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(PackedIntegers, BecomeWiderWhenANumberNeedsIt) {
  PackedIntegers list;
  list.push_back(7);
  list.push_back(65535);
  EXPECT_EQ(list.span().width, 2);
  list.push_back(65536);
  const IntegerSpan span = list.span();
  EXPECT_EQ(span.width, 4);
  EXPECT_THAT((std::vector{span[0], span[1], span[2]}), ElementsAre(7, 65535, 65536));
  EXPECT_EQ(span.bytes(), 12U);
}

TEST(PackedExamples, StoreConsecutiveLinesAsOneRun) {
  PackedExamples packed;
  for (const std::int64_t line : {5, 6, 7, 9, 10, 0, 0, 3})
    packed.push_back({.source = {1}, .target = {2}, .line = line});
  EXPECT_EQ(packed.index().runs.size(), 4U);
  std::vector<std::int64_t> lines;
  for (std::size_t i = 0; i < packed.size(); ++i) lines.push_back(packed[i].line);
  EXPECT_THAT(lines, ElementsAre(5, 6, 7, 9, 10, 0, 0, 3));
}

TEST(PackedExamplesProperty, ReturnWhatWasStored) {
  check_property([] {
    const auto id = *rc::gen::element(100, 70'000);  // narrow ids alone, or with wide ones
    std::vector<Example> examples;
    PackedExamples packed;
    const auto count = *rc::gen::inRange(0, 200);
    for (int i = 0; i < count; ++i) {
      const auto ids = rc::gen::container<TokenIds>(rc::gen::inRange<TokenId>(0, id));
      examples.push_back({.source = *ids, .target = *ids, .line = *rc::gen::inRange(0, 9)});
      packed.push_back(examples.back());
    }
    RC_ASSERT(packed.size() == examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      RC_ASSERT(packed[i] == examples[i]);
      RC_ASSERT(packed.lengths(i).longest() == examples[i].length());
    }
  });
}

}  // namespace
}  // namespace tfm
