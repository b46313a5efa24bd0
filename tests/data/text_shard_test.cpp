#include "tfm/data/text_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/data/numbered_pairs.h"
#include "tfm/data/shard.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class TextShardTest : public testing::Test {
 protected:
  TextShardTest() {
    for (std::int64_t i = 1; i <= 200; ++i) {
      if (i % 9 == 0) continue;  // a line without a usable pair
      part.source.push_back("source " + std::string(static_cast<std::size_t>(i % 40), 'a'));
      part.target.push_back(std::to_string(i) + " ä\r");
      part.line.push_back(i);
    }
    write_text_shard(file, part);
  }

  TextPair expected(std::size_t i) const { return {part.source[i], part.target[i]}; }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path("a.text.safetensors");
  ParallelText part;
};

TEST_F(TextShardTest, ReturnsWhatWasWritten) {
  const TextShard shard(file);
  shard.verify();
  ASSERT_EQ(shard.size(), part.source.size());
  for (std::size_t i = 0; i < shard.size(); ++i) {
    EXPECT_EQ(shard[i], expected(i)) << i;
    EXPECT_EQ(shard.index_of(part.line[i]), i);
  }
}

TEST_F(TextShardTest, ReturnsTheLinksOfEachPair) {
  for (std::size_t i = 0; i < part.source.size(); ++i)
    part.alignments.push_back(i % 3 == 0 ? "" : "0-0 1-1");
  write_text_shard(file, part);
  const TextShard shard(file);
  for (std::size_t i = 0; i < shard.size(); ++i) {
    auto pair = expected(i);
    if (i % 3 != 0) pair.links = {{0, 0}, {1, 1}};
    EXPECT_EQ(shard[i], pair) << i;
  }
}

TEST_F(TextShardTest, TakesFewBytesBesidesTheText) {
  part = {};
  for (std::int64_t i = 1; i <= 10'000; ++i) {
    part.source.emplace_back(60, 's');
    part.target.emplace_back(60, 't');
    part.line.push_back(i);
  }
  write_text_shard(file, part);
  EXPECT_LT(static_cast<double>(std::filesystem::file_size(file)) / (10'000 * 120.0), 1.05);
}

TEST_F(TextShardTest, ThrowsIfTheFileIsTruncatedAnywhere) {
  const auto whole = read_file(file);
  for (std::size_t size = 0; size < whole.size(); size += 41) {
    write_file(file, whole.substr(0, size));
    EXPECT_THAT(message_of<Error>([&] { TextShard shard(file); }),
                testing::AllOf(HasSubstr("a.text.safetensors"), HasSubstr("Remove the file")));
  }
}

TEST_F(TextShardTest, VerifyThrowsIfAByteHasChanged) {
  auto content = read_file(file);
  content.back() = 'x';
  write_file(file, content);
  const TextShard shard(file);
  EXPECT_THAT(message_of<DataError>([&] { shard.verify(); }), HasSubstr("its content has changed"));
}

TEST_F(TextShardTest, IsNoShardOfExamples) {
  EXPECT_THAT(message_of<DataError>([&] { Shard shard(file); }),
              HasSubstr("it is another safetensors file"));
}

/// The text is not in memory: what the file has lost is gone.
TEST_F(TextShardTest, ReadsAPairWhenItIsAskedFor) {
  const TextShard shard(file);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_EQ(shard[0], expected(0));
  EXPECT_THAT(message_of<DataError>([&] { shard[shard.size() - 1]; }),
              HasSubstr("it has become shorter"));
}

TEST_F(TextShardTest, PairsOfSeveralShardsAreOneText) {
  write_text_shard(folder.path("empty"), {});
  PairsInShards pairs;
  pairs.append(std::make_shared<const TextShard>(file), 0);
  pairs.append(std::make_shared<const TextShard>(folder.path("empty")), 200);
  pairs.append(std::make_shared<const TextShard>(file), 207);
  const auto count = part.source.size();
  ASSERT_EQ(pairs.size(), 2 * count);
  for (const std::size_t i : {std::size_t{0}, count - 1}) {
    EXPECT_EQ(pairs[i], expected(i));
    EXPECT_EQ(pairs[count + i], expected(i));
    EXPECT_EQ(pairs.index_of(part.line[i]), i);
    EXPECT_EQ(pairs.index_of(part.line[i] + 207), count + i);
  }
}

}  // namespace
}  // namespace tfm
