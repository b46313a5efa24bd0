#include "tfm/core/line_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "gzip_file.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
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
  std::vector<std::string> read(std::string_view content) {
    return read_lines(folder_.write("text", content));
  }

  TemporaryFolder folder_;
};

TEST_F(LineReaderTest, AcceptsLfAndCrlf) {
  EXPECT_THAT(read("a\nb\r\n\r\n\nc\n"), ElementsAre("a", "b", "", "", "c"));
}

TEST_F(LineReaderTest, ReadsALastLineWithoutLineEnd) {
  EXPECT_THAT(read("a\nb"), ElementsAre("a", "b"));
}

TEST_F(LineReaderTest, KeepsCarriageReturnsWithoutLineFeed) {
  EXPECT_THAT(read("a\rb\nc\r"), ElementsAre("a\rb", "c\r"));
}

TEST_F(LineReaderTest, DropsAByteOrderMarkOnlyAtTheStartOfTheFile) {
  EXPECT_THAT(read("\xEF\xBB\xBFgrün\n\xEF\xBB\xBFrot\n"), ElementsAre("grün", "\xEF\xBB\xBFrot"));
  EXPECT_THAT(read("\xEF\xBB\xBF\na\n"), ElementsAre("", "a"));
  EXPECT_THAT(read("\xEF\xBB\xBF"), IsEmpty());
  EXPECT_THAT(read("\xEF\xBB\xBF\r\n"), ElementsAre(""));
}

TEST_F(LineReaderTest, ReturnsTheLinesThatHaveArrivedBeforeItWaits) {
  const auto pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int writer = ::open(pipe.c_str(), O_RDWR);
  std::vector<std::string> lines;
  std::vector<std::size_t> waits;
  // Each wait ends with more data. None of the lines needs bytes beyond its end to be recognised.
  const std::vector<std::string> parts{"(\n", "one\ntw", "o\nBZ\n"};
  LineReader reader(pipe, [&] {
    const auto number = waits.size();
    waits.push_back(lines.size());
    const auto& part = parts.at(number);
    ASSERT_EQ(::write(writer, part.data(), part.size()), std::ssize(part));
  });
  for (std::string line; lines.size() < 4 && reader.next(line);) lines.push_back(line);
  ::close(writer);
  EXPECT_THAT(lines, ElementsAre("(", "one", "two", "BZ"));
  EXPECT_THAT(waits, ElementsAre(0, 1, 2));
}

TEST_F(LineReaderTest, KeepsNulBytesAndInvalidUtf8) {
  EXPECT_THAT(read("a\0b\n\xFF\n"s), ElementsAre("a\0b"s, "\xFF"));
}

TEST_F(LineReaderTest, ReturnsNoLinesForAnEmptyFile) {
  EXPECT_THAT(read(""), IsEmpty());
  EXPECT_THAT(read_lines(write_gzip(folder_, "empty.gz", "")), IsEmpty());
}

TEST_F(LineReaderTest, DetectsGzipFromTheContent) {
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

// The lines are about as long as the reader's buffer, so most of them extend over the end of a
// buffer.
TEST_F(LineReaderTest, JoinsLinesAcrossBufferBoundaries) {
  std::vector<std::string> lines;
  std::string plain;
  for (std::size_t length = 65530; length < 65545; ++length) {
    lines.emplace_back(length, static_cast<char>('a' + length % 26));
    plain += lines.back() + "\r\n";
  }
  EXPECT_EQ(read(plain), lines);
  EXPECT_EQ(read_lines(write_gzip(folder_, "text.gz", plain)), lines);
}

// Returns text that compresses badly, so that half of the file has about half of the lines.
std::string random_text() {
  std::mt19937_64 random(3);
  std::string text;
  for (int line = 0; line < 50000; ++line) text += std::to_string(random()) + "\n";
  return text;
}

TEST_F(LineReaderTest, ThrowsWithTheLineIfAGzipFileIsTruncated) {
  const auto file = write_gzip(folder_, "text.gz", random_text());
  const auto size = std::filesystem::file_size(file);
  for (const auto kept : {size - 1, size - 8, size / 2, std::uintmax_t{12}}) {
    std::filesystem::resize_file(file, kept);
    const std::string message = message_of<DataError>([&] { read_lines(file); });
    EXPECT_THAT(message, StartsWith(file.string() + ":")) << kept << " bytes of " << size;
    EXPECT_THAT(message, HasSubstr("truncated"));
  }
}

TEST_F(LineReaderTest, ThrowsIfGzipDataIsCorrupt) {
  const auto file = write_gzip(folder_, "text.gz", random_text());
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(1000);
  stream << "damaged";
  stream.close();
  EXPECT_THAT(message_of<DataError>([&] { read_lines(file); }),
              HasSubstr("the gzip data is corrupt"));
}

std::string gzip_bytes(const TemporaryFolder& folder, std::string_view text) {
  return read_file(write_gzip(folder, "member.gz", text));
}

TEST_F(LineReaderTest, ReadsAllMembersOfAGzipFileAndSkipsItsPadding) {
  const std::string two = gzip_bytes(folder_, "a\nb") + gzip_bytes(folder_, "c\nd\n");
  EXPECT_THAT(read(two), ElementsAre("a", "bc", "d"));
  EXPECT_THAT(read(two + std::string(700, '\0')), ElementsAre("a", "bc", "d"));
}

// One bit of the second member's header is wrong. zlib's gzread would stop there without an error.
TEST_F(LineReaderTest, ThrowsIfOtherBytesFollowAGzipMember) {
  const std::string first = gzip_bytes(folder_, "a\nb\n");
  std::string second = gzip_bytes(folder_, "c\nd\n");
  second[0] ^= 1;
  const std::string message = message_of<DataError>([&] { read(first + second); });
  EXPECT_THAT(message, HasSubstr("text:3: byte " + std::to_string(first.size())));
  EXPECT_THAT(message, HasSubstr("Fetch or compress it again."));
}

TEST_F(LineReaderTest, ThrowsIfTheContentOfAGzFileIsNotGzip) {
  std::string damaged = gzip_bytes(folder_, "a\n");
  damaged[0] ^= 1;
  for (const std::string& content : {damaged, damaged.substr(0, 1), std::string(), "a\n"s}) {
    EXPECT_THAT(message_of<DataError>([&] { read_lines(folder_.write("x.gz", content)); }),
                HasSubstr("x.gz:1: is not a gzip file"));
  }
}

// Flips each bit of a file with two members in turn. Reading must give the same lines or an error.
TEST_F(LineReaderTest, NeverReturnsWrongLinesIfABitOfAGzipFileIsFlipped) {
  const std::string whole = gzip_bytes(folder_, "ein bier\n") + gzip_bytes(folder_, "zwei\n");
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    try {
      EXPECT_THAT(read_lines(folder_.write("x.gz", flipped)), ElementsAre("ein bier", "zwei"))
          << "bit " << bit;
    } catch (const DataError&) {
      continue;
    }
  }
}

TEST_F(LineReaderTest, RefusesUtf16) {
  const std::vector<std::string> texts{{"\xFF\xFE\x61\0\n\0", 6}, {"\xFE\xFF\0\x61", 4}};
  for (const auto& text : texts) {
    LineReader reader(folder_.write("a.txt", text));
    std::string line;
    EXPECT_THAT(message_of<DataError>([&] { reader.next(line); }),
                HasSubstr("a.txt:1: is UTF-16, not UTF-8"));
  }
}

TEST_F(LineReaderTest, ThrowsForAMissingFileAndForAFolder) {
  const std::string missing = message_of<DataError>([&] { LineReader(folder_.path("none")); });
  EXPECT_THAT(missing, HasSubstr("none: can't be opened: No such file"));
  EXPECT_THAT(missing, HasSubstr("Check the path"));
  EXPECT_THAT(message_of<DataError>([&] { LineReader(folder_.path("")); }),
              HasSubstr("is a folder"));
}

}  // namespace
}  // namespace tfm
