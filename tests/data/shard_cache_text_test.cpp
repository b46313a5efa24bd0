// The text beside the shards of a cache, for runs that encode it in every epoch.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "captured_log.h"
#include "damaged_file.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/data/shard_cache.h"
#include "tfm/data/shard_folder.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ShardCacheText : public testing::Test {
 protected:
  ShardCacheText() {
    for (int i = 0; i < 300; ++i) {
      source.push_back(i == 17 ? "" : fmt::format("w{} w{} w{}", i % 50, i % 7, i % 31));
      target.push_back(fmt::format("w{} w{}", i % 11, i % 50));
      links.push_back(i % 2 == 0 ? "0-1" : "2-0 1-1");
    }
    source[100] = "w1 w1 w1 w1 w1 w1 w1 w1";  // too long to be an example
    std::vector<std::string> words{"<pad>", "<s>", "</s>", "<unk>"};
    for (int i = 0; i < 50; ++i) words.push_back(fmt::format("w{}", i));
    const auto both = std::make_shared<const WordTokenizer>(Vocab(words, TokenizerConfig()));
    tokenizers = {both, both};
    config.max_length = 6;
    write_text();
  }

  void write_lines(const fs::path& file, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(file, text);
    changed_at += std::chrono::seconds(1);
    fs::last_write_time(file, changed_at);  // as if it had been changed a while ago
  }
  void write_text() {
    write_lines(files.source, source);
    write_lines(files.target, target);
    write_lines(folder.path("a.align"), links);
  }

  ShardedText prepare(bool with_text, bool with_links = false, bool reversed = false) {
    return prepare_shards({.files = files,
                           .tokenizers = &tokenizers,
                           .config = &config,
                           .cache = folder.path("cache"),
                           .reversed = reversed,
                           .with_text = with_text,
                           .links = with_links ? folder.path("a.align") : fs::path(),
                           .sizes = {.least = 300, .most = 1000, .pairs = 10}});
  }

  std::set<fs::path> cached(bool text) const {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder.path("cache"))) {
      const auto name = entry.path().string();
      if (name.ends_with(".safetensors") && name.ends_with(".text.safetensors") == text)
        found.insert(entry.path());
    }
    return found;
  }

  /// Compares every pair with the text.
  void expect_text(const ShardedText& found, bool with_links = false, bool reversed = false) const {
    ASSERT_NE(found.text, nullptr);
    auto text = read_parallel(files, config.bad_lines);
    ASSERT_EQ(found.text->size(), text.source.size());
    for (std::size_t i = 0; i < text.source.size(); ++i) {
      TextPair expected{text.source[i], text.target[i]};
      if (with_links)
        expected.links = parse_word_links(links[static_cast<std::size_t>(text.line[i] - 1)], "");
      if (reversed) std::swap(expected.source, expected.target);
      auto pair = (*found.text)[i];
      if (reversed) pair.links = exchanged(pair.links);
      std::ranges::sort(pair.links);
      EXPECT_EQ(pair, expected) << i;
      EXPECT_EQ(found.text->index_of(text.line[i]), i);
    }
  }

  TemporaryFolder folder;
  ParallelFiles files{.source = folder.path("a.de"), .target = folder.path("a.en"), .tsv = {}};
  fs::file_time_type changed_at = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<std::string> source, target, links;
  TokenizerPair tokenizers;
  DataConfig config;
};

TEST_F(ShardCacheText, IsWrittenOnlyOnRequest) {
  EXPECT_EQ(prepare(false).text, nullptr);
  EXPECT_THAT(cached(true), testing::IsEmpty());
  const auto found = prepare(true);
  expect_text(found);
  EXPECT_EQ(std::ssize(cached(true)), found.made) << "the examples are not encoded again";
  EXPECT_EQ(cached(true).size(), cached(false).size());
  const auto again = prepare(true);
  expect_text(again);
  EXPECT_EQ(again.made, 0);
}

TEST_F(ShardCacheText, HasBothDirections) {
  expect_text(prepare(true, false, true), false, true);
  expect_text(prepare(true, true, true), true, true);
}

TEST_F(ShardCacheText, HasTheLinksOfEachPair) {
  const auto first = prepare(true, true);
  expect_text(first, true);
  const auto found = prepare(true, true);
  expect_text(found, true);
  EXPECT_EQ(found.made, 0);
  EXPECT_EQ(found.facts.links.crc, first.facts.links.crc);
  links[200] = "0-0";
  write_text();
  const auto changed = prepare(true, true);
  expect_text(changed, true);
  EXPECT_EQ(changed.made, 1) << "the text of one part";
  EXPECT_NE(changed.facts.links.crc, first.facts.links.crc);
}

TEST_F(ShardCacheText, RejectsLinksOfAnotherText) {
  links[200] = "0-9";
  write_text();
  EXPECT_THAT(message_of<DataError>([&] { prepare(true, true); }),
              testing::AllOf(HasSubstr("a.align:201: the link 0-9 is beyond the words"),
                             HasSubstr("a.de:201 has 3 words")));
  links.resize(200);
  write_text();
  EXPECT_THAT(message_of<DataError>([&] { prepare(true, true); }),
              HasSubstr("the file has 200 alignments, but its text has at least 201 lines"));
  links.resize(302);
  write_text();
  EXPECT_THAT(message_of<DataError>([&] { prepare(true, true); }),
              HasSubstr("the file has 302 alignments, but its text has at least 300 lines"));
}

TEST_F(ShardCacheText, DamagedShardIsNamedAndMadeAgain) {
  prepare(true);
  const auto file = *cached(true).begin();
  for (const Damage damage : {Damage::changed_byte, Damage::truncation}) {
    damage_file(file, damage);
    const CapturedLog log;
    const auto found = prepare(true);
    EXPECT_EQ(found.made, 1);
    EXPECT_THAT(log.text(), testing::AllOf(HasSubstr(file.string()), HasSubstr("made again")));
    expect_text(found);
  }
  fs::remove(file);
  const auto found = prepare(true);
  EXPECT_EQ(found.made, 1);
  expect_text(found);
}

TEST_F(ShardCacheText, ReadOnlyCacheIsUsed) {
  prepare(true);
  // Without a place for a lock, only a preparation that needs none can succeed.
  fs::remove(folder.path("cache") / "lock");
  fs::create_directory(folder.path("cache") / "lock");
  expect_text(prepare(true));
  EXPECT_THROW(prepare(true, true), ModelError) << "its text has no links";
}

TEST_F(ShardCacheText, OfAFormerVersionOfTheTextIsRemoved) {
  prepare(true);
  const auto before = cached(true);
  source[3] = "w9";
  write_text();
  const auto found = prepare(true);
  expect_text(found);
  EXPECT_EQ(found.made, 2) << "the part with the line, as examples and as text";
  EXPECT_EQ(cached(true).size(), before.size());
  EXPECT_NE(cached(true), before);
}

TEST_F(ShardCacheText, IsTheSameForEveryVocabulary) {
  const auto first = prepare(true).made;
  config.source_eos = false;
  EXPECT_EQ(prepare(true).made, first / 2);
}

TEST(ShardFolder, LinksThatCanBeReadOnlyOnceKeepTheTextInMemory) {
  const TemporaryFolder folder;
  DataConfig config;
  config.train_source = folder.write("a.de", "a\n");
  config.train_target = folder.write("a.en", "b\n");
  config.cache = "somewhere";
  config.modifiers = {"terms=0.5"};
  config.alignments = {"train=" + folder.write("a.align", "0-0\n").string()};
  EXPECT_EQ(shard_folder(config), "somewhere");
  config.alignments = {"train=/dev/null"};
  EXPECT_EQ(shard_folder(config), std::nullopt);
}

}  // namespace
}  // namespace tfm
