#include "tfm/serve/file_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

StoredFile file_with(const std::string& bytes) { return {bytes, "text/plain", "a.txt"}; }

TEST(FileStore, FindsFilesUnderNamesThatDiffer) {
  FileStore store({});
  const auto a = store.add(file_with("a"), ".txt", 0);
  const auto b = store.add(file_with("b"), ".txt", 0);
  EXPECT_THAT(*a, testing::MatchesRegex("[0-9a-f]+[.]txt"));
  EXPECT_EQ(a->size(), 36U);
  EXPECT_NE(*a, *b);
  EXPECT_EQ(store.find(*a, 1)->bytes, "a");
  EXPECT_EQ(store.find(*b, 1)->bytes, "b");
  EXPECT_EQ(store.find("a.txt", 1), nullptr);
}

TEST(FileStore, ForgetsTheOldestFilesBeyondItsLimits) {
  FileStore few({.files = 2});
  const auto first = few.add(file_with("a"), "", 0);
  few.add(file_with("b"), "", 0);
  const auto third = few.add(file_with("c"), "", 0);
  EXPECT_EQ(few.size(), 2U);
  EXPECT_EQ(few.find(*first, 0), nullptr);
  EXPECT_NE(few.find(*third, 0), nullptr);

  FileStore small({.bytes = 5});
  const auto old = small.add(file_with("123"), "", 0);
  EXPECT_NE(small.find(*old, 0), nullptr);
  const auto later = small.add(file_with("456"), "", 0);
  EXPECT_EQ(small.find(*old, 0), nullptr);
  EXPECT_EQ(small.add(file_with("123456"), "", 0), std::nullopt);
  EXPECT_NE(small.find(*later, 0), nullptr);

  FileStore brief({.seconds = 10});
  const auto name = brief.add(file_with("a"), "", 100);
  EXPECT_NE(brief.find(*name, 109), nullptr);
  EXPECT_EQ(brief.find(*name, 110), nullptr);
  EXPECT_EQ(brief.size(), 0U);
}

}  // namespace
}  // namespace tfm
