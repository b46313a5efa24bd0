#include "tfm/data/shard_cache.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "captured_log.h"
#include "damaged_file.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/file_lock.h"
#include "tfm/core/interrupt.h"
#include "tfm/data/shard_folder.h"
#include "tfm/data/text_checksum.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Text with some bad lines and some long ones, and a preparation with parts of about 20 pairs.
class ShardCacheTest : public testing::Test {
 protected:
  ShardCacheTest() {
    for (int i = 0; i < 400; ++i) {
      source.push_back(sentence(i, 3 + i % 5));
      target.push_back(sentence(i + 1, 2 + i % 7));
    }
    source[17].clear();
    target[18] = std::string("\xFF");
    source[200] = sentence(1, 40);
    write_text();
    TokenizerConfig names;
    std::vector<std::string> words{"<pad>", "<s>", "</s>", "<unk>"};
    for (int i = 0; i < 50; ++i) words.push_back(fmt::format("w{}", i));
    const auto both = std::make_shared<const WordTokenizer>(Vocab(words, names));
    tokenizers = {both, both};
    config.max_length = 20;
  }

  static std::string sentence(int seed, int words) {
    std::string text;
    for (int i = 0; i < words; ++i) text += fmt::format("w{} ", (seed * 7 + i * i) % 53);
    return text;
  }

  /// Writes the files, as if they had been changed a while ago.
  void write_text() {
    write_lines(files.source, source);
    write_lines(files.target, target);
  }
  void write_lines(const std::filesystem::path& file, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(file, text);
    changed_at += std::chrono::seconds(1);
    std::filesystem::last_write_time(file, changed_at);
  }

  ShardRequest request() {
    return {.files = files,
            .tokenizers = &tokenizers,
            .config = &config,
            .cache = folder.path("cache"),
            .threads = 2,
            .sizes = {.least = 500, .most = 2000, .pairs = 10}};
  }
  ShardedText prepare() { return prepare_shards(request()); }

  std::set<std::string> shard_names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("cache")))
      if (entry.path().extension() == ".safetensors") names.insert(entry.path().filename());
    return names;
  }

  /// The reference: the same text, encoded in memory.
  Corpus in_memory() {
    return encode_corpus(read_parallel(files, config.bad_lines), tokenizers, config);
  }

  static void expect_equal(const Corpus& found, const Corpus& expected) {
    ASSERT_EQ(found.examples.size(), expected.examples.size());
    for (std::size_t i = 0; i < expected.examples.size(); ++i) {
      EXPECT_EQ(found.examples[i].source, expected.examples[i].source) << i;
      EXPECT_EQ(found.examples[i].target, expected.examples[i].target) << i;
      EXPECT_EQ(found.examples[i].line, expected.examples[i].line) << i;
    }
    EXPECT_EQ(found.source_tokens, expected.source_tokens);
    EXPECT_EQ(found.target_tokens, expected.target_tokens);
    EXPECT_EQ(found.source_unknown, expected.source_unknown);
    EXPECT_EQ(found.target_unknown, expected.target_unknown);
    EXPECT_EQ(describe(found.skipped), describe(expected.skipped));
  }

  TemporaryFolder folder;
  ParallelFiles files{.source = folder.path("a.de"), .target = folder.path("a.en"), .tsv = {}};
  std::filesystem::file_time_type changed_at =
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<std::string> source, target;
  TokenizerPair tokenizers;
  DataConfig config;
};

TEST_F(ShardCacheTest, HasTheExamplesOfTheTextInMemory) {
  const auto text = read_parallel(files, config.bad_lines);
  const auto found = prepare();
  EXPECT_GT(found.made, 10) << "the text has several parts";
  EXPECT_EQ(std::ssize(shard_names()), found.made);
  expect_equal(found.corpus, in_memory());
  EXPECT_EQ(found.facts.pairs, std::ssize(text.source));
  EXPECT_EQ(found.facts.checksum(), checksum(text));
  EXPECT_EQ(describe(found.facts.skipped), describe(text.skipped));
}

TEST_F(ShardCacheTest, ReadsTsvTextInBothDirections) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < source.size(); ++i) lines.push_back(source[i] + "\t" + target[i]);
  const ParallelFiles tsv{.source = {}, .target = {}, .tsv = folder.path("a.tsv")};
  write_lines(tsv.tsv, lines);
  auto wanted = request();
  wanted.files = tsv;
  const auto found = prepare_shards(wanted);
  const auto text = read_parallel(tsv, config.bad_lines);
  expect_equal(found.corpus, encode_corpus(text, tokenizers, config));
  wanted.reversed = true;
  const auto reversed = prepare_shards(wanted);
  auto exchanged_text = text;
  std::swap(exchanged_text.source, exchanged_text.target);
  expect_equal(reversed.corpus, encode_corpus(exchanged_text, tokenizers, config));
  EXPECT_EQ(reversed.facts.checksum(), checksum(exchanged_text));
}

TEST_F(ShardCacheTest, NamesTheFilesOfTheExchangedSides) {
  auto wanted = request();
  wanted.reversed = true;
  const auto found = prepare_shards(wanted);
  EXPECT_THAT(
      describe(found.corpus.skipped),
      testing::ElementsAre("1 pair skipped: over 20 tokens (" + files.source.string() + ":201)"));
}

TEST_F(ShardCacheTest, SecondPreparationMakesNothingAndReadsNoText) {
  const auto first = prepare();
  // The size and the time are those of the list, so the new content is not noticed.
  const auto time = std::filesystem::last_write_time(files.source);
  write_file(files.source, std::string(std::filesystem::file_size(files.source), 'x'));
  std::filesystem::last_write_time(files.source, time);
  const auto second = prepare();
  EXPECT_EQ(second.made, 0);
  expect_equal(second.corpus, first.corpus);
  EXPECT_EQ(second.facts.checksum(), first.facts.checksum());
  EXPECT_EQ(second.facts.pairs, first.facts.pairs);
  EXPECT_EQ(describe(second.facts.skipped), describe(first.facts.skipped));
}

TEST_F(ShardCacheTest, ChangedLineMakesOnlyItsOwnPartAgain) {
  const auto before = prepare();
  const auto names = shard_names();
  source[250] = std::string("w1 w2 w3");
  write_text();
  const auto found = prepare();
  EXPECT_GE(found.made, 1);
  EXPECT_LE(found.made, 3) << "the part of the line, and others if it was their end";
  expect_equal(found.corpus, in_memory());
  EXPECT_NE(found.facts.checksum(), before.facts.checksum());
  EXPECT_LE(std::ssize(shard_names()), std::ssize(names) + 3) << "unused shards are removed";
}

TEST_F(ShardCacheTest, InsertedLinesLeaveLaterPartsUnchanged) {
  const auto all = prepare().made;
  source.insert(source.begin() + 5, {"w1 w2", "w3", ""});
  target.insert(target.begin() + 5, {"w1 w2", "w3", "w4"});
  write_text();
  const auto found = prepare();
  EXPECT_LE(found.made, all / 3);
  expect_equal(found.corpus, in_memory());
}

TEST_F(ShardCacheTest, FileOfTheLastSecondsIsReadAgain) {
  std::filesystem::last_write_time(files.source, std::filesystem::file_time_type::clock::now());
  prepare();
  source[3].replace(0, 2, "w9");
  write_lines(files.source, source);
  std::filesystem::last_write_time(files.source, std::filesystem::file_time_type::clock::now());
  expect_equal(prepare().corpus, in_memory());
}

TEST_F(ShardCacheTest, SettingsAndVocabularyHaveTheirOwnShards) {
  const auto first = prepare();
  config.max_length = 6;
  config.long_lines = LongLines::truncate;
  const auto truncated = prepare();
  EXPECT_EQ(truncated.made, first.made);
  expect_equal(truncated.corpus, in_memory());
  config.source_eos = false;
  expect_equal(prepare().corpus, in_memory());
  const auto other = std::make_shared<const WordTokenizer>(
      Vocab({"<pad>", "<s>", "</s>", "<unk>", "w1"}, TokenizerConfig{}));
  tokenizers = {other, other};
  expect_equal(prepare().corpus, in_memory());
  config.max_length = 20;
  config.long_lines = LongLines::skip;
  expect_equal(prepare().corpus, in_memory());
}

TEST_F(ShardCacheTest, DamagedShardIsNamedAndMadeAgain) {
  const auto first = prepare();
  const auto names = shard_names();
  const auto file = folder.path("cache") / *names.begin();
  for (const Damage damage : {Damage::changed_byte, Damage::truncation}) {
    damage_file(file, damage);
    const CapturedLog log;
    const auto found = prepare();
    EXPECT_EQ(found.made, 1);
    EXPECT_THAT(log.text(), testing::AllOf(HasSubstr(file.string()), HasSubstr("made again")));
    expect_equal(found.corpus, first.corpus);
  }
}

TEST_F(ShardCacheTest, MissingShardIsMadeAgain) {
  const auto first = prepare();
  std::filesystem::remove(folder.path("cache") / *shard_names().begin());
  const auto found = prepare();
  EXPECT_EQ(found.made, 1);
  expect_equal(found.corpus, first.corpus);
}

TEST_F(ShardCacheTest, InterruptedPreparationGoesOn) {
  const auto all = prepare().made;
  const auto names = shard_names();
  // What a killed process leaves: some shards and no list.
  std::size_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("cache")))
    if (entry.path().extension() == ".json" || ++kept > 5) std::filesystem::remove(entry.path());
  const auto left = std::ssize(shard_names());
  EXPECT_GT(left, 0);
  const auto found = prepare();
  EXPECT_EQ(found.made, all - left);
  EXPECT_EQ(shard_names(), names);
  expect_equal(found.corpus, in_memory());
}

TEST_F(ShardCacheTest, InterruptedPreparationSaysHowToContinue) {
  install_signal_handlers();
  std::raise(SIGINT);
  EXPECT_THAT(message_of<Interrupted>([&] { prepare(); }),
              HasSubstr("0 pairs are prepared\n  The same command continues"));
  clear_interrupt();
}

TEST_F(ShardCacheTest, ReadOnlyCacheIsUsed) {
  prepare();
  // Without a place for a lock, only a preparation that needs none can succeed.
  std::filesystem::remove(folder.path("cache") / "lock");
  std::filesystem::create_directory(folder.path("cache") / "lock");
  expect_equal(prepare().corpus, in_memory());
  source[1] = std::string("w1");
  write_text();
  EXPECT_THAT(message_of<ModelError>([&] { prepare(); }), HasSubstr("lock"));
}

TEST_F(ShardCacheTest, CacheThatCannotBeMadeIsAnError) {
  folder.write("cache", "a file");
  EXPECT_THAT(message_of<ModelError>([&] { prepare(); }), HasSubstr("cache"));
}

TEST_F(ShardCacheTest, WaitsForAnotherPreparation) {
  std::filesystem::create_directories(folder.path("cache"));
  std::optional<FileLock> other(folder.path("cache") / "lock");
  const CapturedLog log;
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    other.reset();
  });
  const auto found = prepare();
  end.join();
  EXPECT_THAT(log.text(), HasSubstr("waiting"));
  expect_equal(found.corpus, in_memory());
}

TEST_F(ShardCacheTest, CountsValidationPairsThatAreInTheText) {
  const ParallelText valid{.source = {source[3], source[4], "w1"},
                           .target = {target[3], target[5], "w1"},
                           .line = {1, 2, 3},
                           .skipped = {},
                           .files = {}};
  auto wanted = request();
  wanted.valid = &valid;
  EXPECT_EQ(prepare_shards(wanted).facts.shared, 1);
  EXPECT_EQ(prepare_shards(wanted).facts.shared, 1) << "from the list";
  const ParallelText other{.source = {source[3], source[4]},
                           .target = {target[3], target[4]},
                           .line = {1, 2},
                           .skipped = {},
                           .files = {}};
  wanted.valid = &other;
  const auto found = prepare_shards(wanted);
  EXPECT_EQ(found.facts.shared, 2) << "the text is read again, but not encoded";
  EXPECT_EQ(found.made, 0);
}

TEST_F(ShardCacheTest, BadLineIsAnErrorEvenIfShardsExist) {
  prepare();
  config.bad_lines = BadLines::error;
  EXPECT_THAT(message_of<DataError>([&] { prepare(); }),
              testing::StartsWith(files.source.string() + ":18: empty side"));
}

TEST_F(ShardCacheTest, TextWithoutPairsIsAnError) {
  source.assign(3, "");
  target.assign(3, "w1");
  write_text();
  EXPECT_THAT(message_of<DataError>([&] { prepare(); }), HasSubstr("has no usable sentence pair"));
  source.assign(3, sentence(0, 30));
  write_text();
  EXPECT_THAT(message_of<DataError>([&] { prepare(); }),
              testing::AllOf(HasSubstr("no sentence pair is left"), HasSubstr("over 20 tokens")));
}

TEST_F(ShardCacheTest, FolderIsBesideALargeText) {
  config.train_source = files.source;
  config.train_target = files.target;
  EXPECT_EQ(shard_folder(config), std::nullopt) << "small text stays in memory";
  EXPECT_EQ(shard_folder(config, /*limit=*/100), folder.path("tfm-cache"));
  config.cache = "none";
  EXPECT_EQ(shard_folder(config, 100), std::nullopt);
  config.cache = "somewhere";
  EXPECT_EQ(shard_folder(config), "somewhere");
  config.bpe_dropout = 0.1;
  EXPECT_EQ(shard_folder(config), "somewhere");
}

}  // namespace
}  // namespace tfm
