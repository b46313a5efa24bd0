#include "tfm/core/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "gzip_file.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using namespace std::string_literals;

class LineReaderTest : public testing::Test {
 protected:
  std::vector<std::string> lines_of(std::string_view content) {
    return read_lines(folder_.write("text", content));
  }

  TemporaryFolder folder_;
};

TEST(TrimLine, TakesOffWhatBelongsToTheFile) {
  struct Case {
    std::string line;
    bool first, ended, is_line;
    std::string expected;
  };
  const std::string mark(byte_order_mark);
  for (const auto& [line, first, ended, is_line, expected] :
       {Case{"a\r", true, true, true, "a"}, Case{"a\r", true, false, true, "a\r"},
        Case{mark + "a", true, true, true, "a"}, Case{mark + "a", false, true, true, mark + "a"},
        Case{mark, true, false, false, ""}, Case{mark, true, true, true, ""},
        Case{mark + "\r", true, true, true, ""}, Case{"", false, true, true, ""}}) {
    std::string trimmed = line;
    EXPECT_EQ(trim_line(trimmed, first, ended), is_line) << testing::PrintToString(line);
    EXPECT_EQ(trimmed, expected) << testing::PrintToString(line);
  }
}

TEST_F(LineReaderTest, TakesBothKindsOfLineEnd) {
  EXPECT_THAT(lines_of("a\nb\r\n\r\n\nc\n"), ElementsAre("a", "b", "", "", "c"));
}

TEST_F(LineReaderTest, CountsALastLineWithoutItsEnd) {
  EXPECT_THAT(lines_of("a\nb"), ElementsAre("a", "b"));
}

TEST_F(LineReaderTest, KeepsACarriageReturnThatEndsNoLine) {
  EXPECT_THAT(lines_of("a\rb\nc\r"), ElementsAre("a\rb", "c\r"));
}

TEST_F(LineReaderTest, DropsAByteOrderMarkAtTheStartOnly) {
  EXPECT_THAT(lines_of("\xEF\xBB\xBFgrün\n\xEF\xBB\xBFrot\n"),
              ElementsAre("grün", "\xEF\xBB\xBFrot"));
  EXPECT_THAT(lines_of("\xEF\xBB\xBF\na\n"), ElementsAre("", "a"));
  EXPECT_THAT(lines_of("\xEF\xBB\xBF"), IsEmpty());
}

TEST_F(LineReaderTest, KeepsNulBytesAndInvalidUtf8) {
  EXPECT_THAT(lines_of("a\0b\n\xFF\n"s), ElementsAre("a\0b"s, "\xFF"));
}

TEST_F(LineReaderTest, GivesNothingForAnEmptyFile) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(read_lines(write_gzip(folder_, "empty.gz", "")), IsEmpty());
}

TEST_F(LineReaderTest, ReadsGzipWhateverItsName) {
  EXPECT_THAT(read_lines(write_gzip(folder_, "text.de", "a\r\nb\n")), ElementsAre("a", "b"));
}

TEST_F(LineReaderTest, CountsLines) {
  LineReader reader(folder_.write("text", "a\nb\n"));
  EXPECT_EQ(reader.line_number(), 0);
  std::string line;
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(reader.line_number(), 1);
  EXPECT_TRUE(reader.next(line));
  EXPECT_FALSE(reader.next(line));
  EXPECT_EQ(reader.line_number(), 2);
}

// Line lengths around the size of the reader's buffer put every kind of line end across its edge.
TEST_F(LineReaderTest, JoinsLinesAcrossItsBuffer) {
  std::vector<std::string> lines;
  std::string plain;
  for (std::size_t length = 65530; length < 65545; ++length) {
    lines.push_back(std::string(length, static_cast<char>('a' + length % 26)));
    plain += lines.back() + "\r\n";
  }
  EXPECT_EQ(lines_of(plain), lines);
  EXPECT_EQ(read_lines(write_gzip(folder_, "text.gz", plain)), lines);
}

// Text that compresses badly, so that half of the file holds about half of the lines.
std::string random_text() {
  std::mt19937_64 random(3);
  std::string text;
  for (int line = 0; line < 50000; ++line) text += std::to_string(random()) + "\n";
  return text;
}

TEST_F(LineReaderTest, NamesTheLineWhereAGzipFileIsCutShort) {
  const auto file = write_gzip(folder_, "text.gz", random_text());
  const auto size = std::filesystem::file_size(file);
  for (const auto kept : {size - 1, size - 8, size / 2, std::uintmax_t{12}}) {
    std::filesystem::resize_file(file, kept);
    const std::string message = message_of<DataError>([&] { read_lines(file); });
    EXPECT_THAT(message, StartsWith(file.string() + ":")) << kept << " bytes of " << size;
    EXPECT_THAT(message, HasSubstr("cut short"));
  }
}

TEST_F(LineReaderTest, RefusesDamagedGzip) {
  const auto file = write_gzip(folder_, "text.gz", random_text());
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(1000);
  stream << "damaged";
  stream.close();
  EXPECT_THAT(message_of<DataError>([&] { read_lines(file); }), HasSubstr("can't be read on"));
}

TEST_F(LineReaderTest, RefusesAMissingFileAndAFolder) {
  const std::string missing = message_of<DataError>([&] { LineReader(folder_.path("none")); });
  EXPECT_THAT(missing, HasSubstr("none: can't be opened: No such file"));
  EXPECT_THAT(missing, HasSubstr("Check the path"));
  EXPECT_THAT(message_of<DataError>([&] { LineReader(folder_.path("")); }),
              HasSubstr("is a folder"));
}

}  // namespace
}  // namespace tfm
