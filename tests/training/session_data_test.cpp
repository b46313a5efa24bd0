#include "training/session_data.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "temporary_folder.h"
#include "tfm/data/text_checksum.h"
#include "tfm/run/fingerprint_text.h"
#include "tfm/training/prepare_data.h"

namespace tfm {
namespace {

/// A run that an earlier version began continues its epoch only if its batches are the same.
TEST(FingerprintsOf, NameTheSizeOfTheWindowsOfALargeCorpus) {
  const auto data_of = [](const Config& config, std::int64_t pairs) {
    SessionText text;
    text.train_checksum = 5;
    text.train_pairs = pairs;
    return fingerprints_of(text, config).data;
  };
  const auto expected = [](const Config& config, const char* windows) {
    return with_settings(5, batch_content_text(config) + windows);
  };
  Config config;
  constexpr std::int64_t most = 1 << 20;
  EXPECT_EQ(data_of(config, most), expected(config, ""));
  EXPECT_EQ(data_of(config, most + 1), expected(config, "window 1048576\n"));
  config.data.modifiers = {"typos=0.1"};
  EXPECT_EQ(data_of(config, most), expected(config, ""));
  EXPECT_EQ(data_of(config, most + 1), expected(config, "window 131072\n"));
}

/// Everything is writable for root, so the check is made in a process of another user.
TEST(LoadText, TakesTheVocabularyOfACacheThatCanOnlyBeRead) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  Config config;
  config.tokenizer.kind = TokenizerKind::word;
  const fs::path source = folder.write("train.de", "ich mag kuchen\n");
  const fs::path target = folder.write("train.en", "i like cake\n");
  config.data.sets = {"all=" + source.string() + "," + target.string()};
  for (const fs::path& file : {source, target})
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(1));
  const auto beside = prepare_data(config).folder;
  ASSERT_EQ(beside, folder.path("tfm-cache"));
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(beside, fs::perms(0555));
  ::setenv("XDG_CACHE_HOME", folder.path("user").c_str(), 1);
  constexpr uid_t unprivileged_user = 65534;
  const auto finds_vocabulary = [&] {
    if (::geteuid() == 0 && ::setuid(unprivileged_user) != 0) return false;
    const SessionText text = load_text(config, /*learns=*/true);
    return text.shards != beside && text.kept_vocabulary && text.train.empty();
  };
  EXPECT_EXIT(std::_Exit(finds_vocabulary() ? 0 : 1), testing::ExitedWithCode(0), "");
  ::unsetenv("XDG_CACHE_HOME");
  fs::permissions(beside, fs::perms(0755));
}

}  // namespace
}  // namespace tfm
