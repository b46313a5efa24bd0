#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "temporary_folder.h"
#include "tfm/data/shard_cache.h"
#include "tfm/data/shard_folder.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr uid_t unprivileged_user = 65534;

/// A text whose cache only its owner can write. Everything is writable for root, so each check is
/// made in a process of another user.
class ReadOnlyCache : public testing::Test {
 protected:
  ReadOnlyCache() {
    config.train_source = folder.write("train.de", "a\nb\n");
    config.train_target = folder.write("train.en", "b\na\n");
    fs::create_directory(beside);
    fs::permissions(folder.path(), fs::perms(0755));
    fs::permissions(beside, fs::perms(0555));
    ::setenv("XDG_CACHE_HOME", folder.path("user").c_str(), 1);
  }
  ~ReadOnlyCache() override { ::unsetenv("XDG_CACHE_HOME"); }

  /// Ends the process with 0 if it is another user's and the function returns true.
  template <class Function>
  [[noreturn]] static void exit_as_other_user(Function check) {
    const bool is_other = ::geteuid() != 0 || ::setuid(unprivileged_user) == 0;
    std::_Exit(is_other && check() ? 0 : 1);
  }

  TemporaryFolder folder;
  fs::path beside = folder.path("tfm-cache");
  fs::path in_user_cache = folder.path("user/tfm/shards");
  DataConfig config;
};

TEST_F(ReadOnlyCache, GivesWayToTheCacheOfTheUser) {
  EXPECT_EXIT(exit_as_other_user([&] { return shard_folder(config, 1) == in_user_cache; }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_as_other_user([&] { return read_only_cache(config) == beside; }),
              testing::ExitedWithCode(0), "");
  fs::permissions(beside, fs::perms(0777));
  EXPECT_EXIT(exit_as_other_user([&] { return shard_folder(config, 1) == beside; }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_as_other_user([&] { return read_only_cache(config).empty(); }),
              testing::ExitedWithCode(0), "");
}

TEST_F(ReadOnlyCache, IsUsedIfItLacksNothing) {
  const auto words = std::make_shared<const WordTokenizer>(
      Vocab({"<pad>", "<s>", "</s>", "<unk>", "a", "b"}, TokenizerConfig()));
  const TokenizerPair tokenizers{words, words};
  for (const fs::path file : {config.train_source, config.train_target})
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(1));
  ShardRequest request{
      .files = train_files(config), .tokenizers = &tokenizers, .config = &config, .cache = beside};
  fs::permissions(beside, fs::perms(0755));
  EXPECT_EQ(prepare_shards(request).made, 1);
  request.cache = in_user_cache;
  request.read_only = beside;
  EXPECT_EQ(prepare_shards(request).made, 0);
  EXPECT_FALSE(fs::exists(in_user_cache));
  request.read_only.clear();
  EXPECT_EQ(prepare_shards(request).made, 1);
}

}  // namespace
}  // namespace tfm
