#include "corpus/duplicates.h"

#include <gtest/gtest.h>

#include <set>

#include "property.h"
#include "temporary_folder.h"

namespace tfm {
namespace {

using Keys = std::vector<std::uint64_t>;
using Verdicts = std::vector<std::optional<std::size_t>>;

constexpr std::size_t unlimited = std::size_t{1} << 40;

/// Returns the verdicts about pairs with these keys if the first `in_memory` of them are checked in
/// memory and the others on disk.
Verdicts find_duplicates(const std::vector<Keys>& pairs, std::size_t rules, std::size_t in_memory) {
  const TemporaryFolder folder;
  DuplicateFinder finder(rules, unlimited);
  Verdicts verdicts;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == in_memory) finder.move_to_disk(folder.path());
    if (i < in_memory) {
      verdicts.push_back(finder.check(pairs[i]));
    } else {
      finder.defer(pairs[i]);
    }
  }
  if (in_memory >= pairs.size()) return verdicts;
  finder.resolve([](double) {});
  for (std::size_t i = in_memory; i < pairs.size(); ++i)
    verdicts.push_back(finder.verdict(i - in_memory));
  return verdicts;
}

TEST(HashSet, FindsEachHashOnceZeroIncluded) {
  HashSet set;
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t hash = 0; hash < 5000; ++hash) EXPECT_EQ(set.insert(hash << 40), round == 0);
  }
  std::set<std::uint64_t> found;
  set.for_each([&](std::uint64_t hash) { found.insert(hash); });
  EXPECT_EQ(found.size(), 5000U);
}

TEST(HashSet, NextBytesGrowsBeforeTheMemoryDoes) {
  HashSet set;
  std::size_t most = 0;
  for (std::uint64_t hash = 1; hash < 3000; ++hash) {
    most = std::max(most, set.next_bytes());
    set.insert(hash * 0x9E3779B97F4A7C15ULL);
  }
  EXPECT_GE(most, 3 * 2048 * sizeof(std::uint64_t));
  EXPECT_LE(set.next_bytes(), most);
}

TEST(DuplicateFinder, KeepsTheFirstPairOfEachKey) {
  EXPECT_EQ(find_duplicates({{1}, {2}, {1}, {1}, {3}}, 1, 5),
            (Verdicts{std::nullopt, std::nullopt, 0, 0, std::nullopt}));
}

TEST(DuplicateFinder, HidesDroppedPairsFromLaterRules) {
  // The third pair is dropped by the first rule, so its second key does not count.
  const std::vector<Keys> pairs{{1, 10}, {1, 20}, {2, 20}, {3, 20}};
  const Verdicts expected{std::nullopt, 0, std::nullopt, 1};
  for (std::size_t in_memory = 0; in_memory <= pairs.size(); ++in_memory)
    EXPECT_EQ(find_duplicates(pairs, 2, in_memory), expected) << in_memory;
}

TEST(DuplicateFinder, FindsTheSameOnDiskAsInMemory) {
  check_property(
      [] {
        const auto rules = *rc::gen::inRange<std::size_t>(1, 4);
        // few different keys, with all of their bits in use
        const auto key =
            rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 12),
                         [](std::uint64_t each) { return each * 0x9E3779B97F4A7C15ULL; });
        const auto pairs =
            *rc::gen::container<std::vector<Keys>>(rc::gen::container<Keys>(rules, key));
        const auto in_memory = *rc::gen::inRange<std::size_t>(0, pairs.size() + 1);
        RC_ASSERT(find_duplicates(pairs, rules, in_memory) ==
                  find_duplicates(pairs, rules, pairs.size()));
      },
      60);
}

TEST(DuplicateFinder, WritesMoreRecordsThanABufferHolds) {
  std::vector<Keys> pairs;
  for (std::uint64_t i = 0; i < 30'000; ++i) pairs.push_back({i % 20'000});  // one partition
  const auto verdicts = find_duplicates(pairs, 1, 100);
  EXPECT_EQ(std::ranges::count(verdicts, std::optional<std::size_t>(0)), 10'000);
  EXPECT_EQ(verdicts[19'999], std::nullopt);
  EXPECT_EQ(verdicts[20'000], std::optional<std::size_t>(0));
}

TEST(DuplicateFinder, IsFullBeforeItsKeysExceedTheMemory) {
  DuplicateFinder finder(2, 100'000);
  std::uint64_t pairs = 0;
  for (; !finder.is_full(); ++pairs) finder.check(Keys{pairs + 1, pairs + 1});
  EXPECT_GT(pairs, 1000U);
  EXPECT_LT(pairs * 2 * sizeof(std::uint64_t), 100'000U);
}

}  // namespace
}  // namespace tfm
