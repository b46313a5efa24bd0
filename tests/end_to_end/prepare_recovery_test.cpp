// Kills tfm data prepare with SIGKILL at random moments. What it has made must be used by the next
// start, and the shards must become those of a preparation that was never killed. TFM_KILL_SEED
// sets the seed of the random moments, TFM_PREPARED_PAIRS the size of the text. The process is
// killed before each part of the cache is complete: the vocabulary and each shard, of which a text
// of the default size has one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "child.h"
#include "program.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Writes lines of eight words that are made of `letters`.
void write_lines(const fs::path& file, const std::string& letters, int lines) {
  std::mt19937 random(1);
  std::string text;
  for (int line = 0; line < lines; ++line) {
    for (int word = 0; word < 8; ++word) {
      for (int letter = 0; letter < 3; ++letter) text += letters[random() % letters.size()];
      text += word < 7 ? ' ' : '\n';
    }
  }
  std::ofstream(file) << text;
  // tfm does not trust that a new file stays as it is.
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

/// Returns the contents of the files in a cache by their names, without the lock.
std::map<std::string, std::string> files_in(const TemporaryFolder& folder,
                                            const std::string& cache) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path(cache))) {
    const auto name = fs::relative(entry.path(), folder.path()).string();
    if (entry.is_regular_file() && entry.path().filename() != "lock")
      files[name.substr(cache.size())] = folder.read(name);
  }
  return files;
}

/// Returns the number of complete parts in a cache: the vocabulary and the shards.
std::ptrdiff_t count_parts(const fs::path& cache) {
  std::error_code none;
  const fs::directory_iterator entries(cache, none);
  return std::count_if(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    const auto name = entry.path().filename().string();
    return name.starts_with("vocabulary-") || entry.path().extension() == ".safetensors";
  });
}

TEST(PrepareRecovery, AKilledPreparationGoesOnAndEndsWithTheSameShards) {
  const auto seed = setting("TFM_KILL_SEED", 1);
  const auto pairs = setting("TFM_PREPARED_PAIRS", 100'000);
  SCOPED_TRACE("TFM_KILL_SEED=" + std::to_string(seed));
  std::mt19937 random(static_cast<unsigned>(seed));
  const Workplace place;
  const auto& folder = place.folder;
  write_lines(folder.path("train.de"), "abcdefgh", pairs);
  write_lines(folder.path("train.en"), "ijklmnop", pairs);
  folder.write("my.yaml",
               "tokenizer: {vocab_size: 300, sample_pairs: 5000}\n"
               "data: {train_source: train.de, train_target: train.en}\n");
  const std::string prepare = "data prepare my.yaml --threads 1 data.cache=";
  const auto uninterrupted = place.tfm(prepare + "straight");
  ASSERT_EQ(uninterrupted.code, 0) << uninterrupted.err;
  const auto parts = count_parts(folder.path("straight"));
  ASSERT_GE(parts, 2);
  const auto killed = folder.path("killed");
  for (std::ptrdiff_t made = 0; made < parts; ++made) {
    Child child(folder.path(), prepare + "killed");
    while (child.runs() && count_parts(killed) < made)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 50));
    EXPECT_EQ(child.end_by(SIGKILL), 128 + SIGKILL) << "it ended too early:\n"
                                                    << folder.read("log");
    EXPECT_GE(count_parts(killed), made) << "a part that was made is lost";
  }
  const auto last = place.tfm(prepare + "killed");
  ASSERT_EQ(last.code, 0) << last.err;

  const auto expected = files_in(folder, "straight");
  const auto found = files_in(folder, "killed");
  for (const auto& [name, content] : expected) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_TRUE(found.at(name) == content) << name << " differs";
  }
  EXPECT_EQ(found.size(), expected.size()) << "a killed process left a file";
  const auto again = place.tfm(prepare + "killed");
  EXPECT_EQ(again.code, 0) << again.err;
}

}  // namespace
}  // namespace tfm
