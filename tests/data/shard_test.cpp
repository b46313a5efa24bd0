#include "tfm/data/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/safetensors_header.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ShardTest : public testing::Test {
 protected:
  ShardTest() {
    for (TokenId i = 0; i < 300; ++i) {
      const auto length = static_cast<std::size_t>(i % 7);
      examples.push_back(
          {.source = TokenIds(length + 1, i), .target = TokenIds(length, i + 1), .line = i + 1});
      part.examples.push_back(examples.back());
    }
    part.source_tokens = 1200;
    part.target_tokens = 1199;
    part.source_unknown = 3;
    part.target_unknown = 4;
    part.skipped = {{"too long", 2, {{files.source, 5}, {files.target, 6}}, true}};
    write_shard(file, part, files);
  }

  std::string content() const { return read_file(file); }
  /// Replaces the last `count` bytes of the file.
  void replace_end(std::size_t count, const std::string& with) {
    const auto whole = content();
    write_file(file, whole.substr(0, whole.size() - count) + with);
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path("a.safetensors");
  ParallelFiles files{.source = "a.de", .target = "a.en", .tsv = {}};
  std::vector<Example> examples;
  Corpus part;
};

TEST_F(ShardTest, ReturnsWhatWasWritten) {
  const Shard shard(file);
  shard.verify();
  ASSERT_EQ(shard.size(), examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    EXPECT_EQ(shard[i], examples[i]) << i;
    EXPECT_EQ(shard.lengths(i).longest(), examples[i].length()) << i;
  }
  const Corpus counts = shard.counts(files, 100);
  EXPECT_TRUE(counts.examples.empty());
  EXPECT_EQ(counts.source_tokens, 1200);
  EXPECT_EQ(counts.target_tokens, 1199);
  EXPECT_EQ(counts.source_unknown, 3);
  EXPECT_EQ(counts.target_unknown, 4);
  EXPECT_THAT(describe(counts.skipped),
              ElementsAre("2 pairs truncated: too long (a.de:105, a.en:106)"));
}

/// The header is what the safetensors format requires, and other programs read.
TEST_F(ShardTest, IsASafetensorsFile) {
  const auto whole = content();
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data(), sizeof length);
  const auto header = nlohmann::json::parse(whole.substr(8, length));
  EXPECT_EQ(header["ids"]["dtype"], "U16");
  EXPECT_EQ(header["lengths"]["shape"], nlohmann::json({600}));
  std::size_t end = 0;
  for (const auto& [name, entry] : header.items())
    if (name != "__metadata__") end = std::max(end, entry["data_offsets"][1].get<std::size_t>());
  EXPECT_EQ(8 + length + end, whole.size());
  EXPECT_TRUE(header["__metadata__"]["tfm_shard"].is_string());
}

TEST_F(ShardTest, NeedsFewBytesBesidesTheIds) {
  Corpus typical;
  for (std::int64_t i = 1; i <= 10'000; ++i)
    typical.examples.push_back({.source = TokenIds(25, 7), .target = TokenIds(25, 7), .line = i});
  write_shard(file, typical, files);
  constexpr double ids = 10'000 * 50 * 2;
  EXPECT_LT(static_cast<double>(std::filesystem::file_size(file)) / ids, 1.05);
}

TEST_F(ShardTest, WithoutExamplesIsComplete) {
  write_shard(file, {}, files);
  const Shard shard(file);
  shard.verify();
  EXPECT_EQ(shard.size(), 0U);
}

TEST_F(ShardTest, ThrowsIfTheFileIsTruncatedAnywhere) {
  const auto whole = content();
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    write_file(file, whole.substr(0, size));
    EXPECT_THAT(message_of<Error>([&] { Shard shard(file); }),
                testing::AllOf(HasSubstr("a.safetensors"), HasSubstr("Remove the file")))
        << size;
  }
}

TEST_F(ShardTest, ThrowsIfTheFileHasOtherArrays) {
  const auto metadata = parse_safetensors_header(content()).header.metadata;
  const auto error = [&](const SafetensorsHeader& header) {
    write_file(file, format_safetensors_header(header));
    return message_of<DataError>([&] { Shard shard(file); });
  };
  EXPECT_THAT(error({}), HasSubstr("is not a complete shard: it is another safetensors file"));
  SafetensorsHeader header{.entries = {}, .metadata = metadata};
  header.append("offsets", "U64", {0});
  header.append("line_runs", "U64", {0});
  EXPECT_THAT(error(header), HasSubstr("it has no lengths"));
  header.append("lengths", "U64", {0});
  EXPECT_THAT(error(header), HasSubstr("its lengths have the type U64"));
}

TEST_F(ShardTest, VerifyThrowsIfAByteHasChanged) {
  replace_end(1, "x");
  const Shard shard(file);
  EXPECT_THAT(message_of<DataError>([&] { shard.verify(); }),
              HasSubstr("a.safetensors: is not a complete shard: its content has changed"));
}

TEST_F(ShardTest, ThrowsIfTheFileHasBecomeShorterSinceItWasOpened) {
  const Shard shard(file);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 4);
  EXPECT_THAT(message_of<DataError>([&] { shard[299]; }), HasSubstr("it has become shorter"));
}

TEST_F(ShardTest, ExampleListPutsShardsOneBehindTheOther) {
  ExampleList list;
  list.append(std::make_shared<const Shard>(file), 0);
  list.append(std::make_shared<const Shard>(file), 1000);
  ExampleList copy;
  copy.append(list);
  ASSERT_EQ(copy.size(), 600U);
  EXPECT_EQ(copy[299].line, 300);
  EXPECT_EQ(copy[300].line, 1001);
  EXPECT_EQ(copy[599].line, 1300);
  EXPECT_EQ(copy[301].source, examples[1].source);
  EXPECT_EQ(copy.lengths(301).source, 2);
  std::size_t count = 0;
  for (const Example& example : copy) count += example.source.empty() ? 0 : 1;
  EXPECT_EQ(count, 600U);
}

}  // namespace
}  // namespace tfm
