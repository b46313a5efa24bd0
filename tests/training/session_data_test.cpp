#include "training/session_data.h"

#include <gtest/gtest.h>

#include "tfm/data/text_checksum.h"
#include "tfm/run/fingerprint_text.h"

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

}  // namespace
}  // namespace tfm
