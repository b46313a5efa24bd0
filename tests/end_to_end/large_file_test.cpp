// Tests that the memory of tfm translate does not grow with the size of the file. TFM_LARGE_MB sets
// the size in MiB (default: 20).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "child.h"
#include "small_translator.h"

namespace tfm {
namespace {

class LargeFile : public TrainedSuite<LargeFile> {
 public:
  static constexpr const char* command = train_small_translator;
};

/// Writes at least `megabytes` MiB in blocks of 2,000 lines, most of which are empty, and 20 lines
/// of 60,000 spaces. Returns the number of lines. The long lines of a block exceed 1 MiB, the size
/// at which the program stops reading and translates the lines that it has read.
std::int64_t write_large_file(const std::filesystem::path& file, std::int64_t megabytes) {
  std::ofstream out(file, std::ios::binary);
  std::string spaces(60'000, ' ');
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
  while (bytes < megabytes << 20) {
    std::string block;
    for (int i = 0; i < 2000; ++i) block += i % 1000 == 0 ? "ein Bier\n" : "\n";
    for (int i = 0; i < 20; ++i) block += spaces + "\n";
    out << block;
    bytes += std::ssize(block);
    lines += 2020;
  }
  return lines;
}

TEST_F(LargeFile, IsTranslatedInBoundedMemory) {
  const auto lines = write_large_file(place->folder.path("large"), setting("TFM_LARGE_MB", 20));
  place->folder.write("short", "ein Bier\n");
  Child small(place->folder.path(), "translate -q --beam-size 1 --threads 1 -i short -o out");
  ASSERT_EQ(small.wait(), 0);
  Child large(place->folder.path(), "translate -q --beam-size 1 --threads 1 -i large -o out");
  ASSERT_EQ(large.wait(), 0) << place->folder.read("log");
  RecordProperty("small_peak_megabytes", std::to_string(small.peak_megabytes()));
  RecordProperty("large_peak_megabytes", std::to_string(large.peak_megabytes()));
  EXPECT_LT(large.peak_megabytes(), small.peak_megabytes() + 150);
  std::ifstream out(place->folder.path("out"));
  std::int64_t found = 0;
  for (std::string line; std::getline(out, line);) ++found;
  EXPECT_EQ(found, lines);
}

}  // namespace
}  // namespace tfm
