#include "tfm/run/tensorboard_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

/// Returns the payloads of a file's records; fails the test if a length or checksum is wrong.
std::vector<std::string> records(const fs::path& file) {
  const auto bytes = read_file(file);
  std::vector<std::string> found;
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    const auto end = at + 12 + length + 4;
    if (end > bytes.size()) {
      ADD_FAILURE() << "the file is truncated";
      break;
    }
    found.push_back(bytes.substr(at + 12, length));
    EXPECT_EQ(hex(tfrecord(found.back())), hex(bytes.substr(at, end - at)));
    at = end;
  }
  return found;
}

// The first three values are from RFC 3720, appendix B.4. Catalogues of CRCs identify CRC-32C by
// the value for "123456789".
TEST(Crc32c, EqualsPublishedValues) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  std::string rising;
  for (char byte = 0; byte < 32; ++byte) rising += byte;
  EXPECT_EQ(crc32c(rising), 0x46DD794Eu);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(""), 0u);
}

// The expected bytes are those that protobuf's serialiser produces for Event(wall_time=1.5,
// step=300, summary=[("a", 0.25)]).
TEST(ScalarEvent, EqualsTheBytesThatProtobufWrites) {
  EXPECT_EQ(hex(scalar_event(1.5, 300, {{"a", 0.25}})),
            "09000000000000f83f10ac022a0a0a080a0161150000803e");
}

// The expected bytes are those that tensorboard's RecordWriter produces for "tfm".
TEST(TfRecord, EqualsTheBytesThatTensorBoardWrites) {
  EXPECT_EQ(hex(tfrecord("tfm")), "0300000000000000b099490e74666de129c8f7");
}

TEST(EventFileWriter, WritesVersionAndSessionStartFirst) {
  const TemporaryFolder folder;
  EventFileWriter file(folder.path("tensorboard"), 301);
  file.write(301, {{"training/loss", 2.5}});
  std::vector<fs::path> files(fs::directory_iterator(folder.path("tensorboard")), {});
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(files[0].filename().string(), testing::StartsWith("events.out.tfevents."));
  const auto found = records(files[0]);
  ASSERT_EQ(found.size(), 3u);
  // The first 9 bytes (18 hex digits) are the time. Step 0 and field 3 (the version) follow.
  EXPECT_EQ(hex(found[0]).substr(18), "10001a0d" + hex("brain.Event:2"));
  EXPECT_EQ(hex(found[1]).substr(18),
            "10ad02"      // step 301
            "3a020801");  // field 7 (session_log) with status 1 (START)
  EXPECT_EQ(found[2].substr(9), scalar_event(0, 301, {{"training/loss", 2.5}}).substr(9));
}

TEST(EventFileWriter, CreatesANewFileForEachSession) {
  const TemporaryFolder folder;
  const EventFileWriter first(folder.path(), 0), second(folder.path(), 5);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
}

TEST(EventFileWriter, ThrowsWithTheNameOfTheFolderThatCannotBeCreated) {
  const TemporaryFolder folder;
  folder.write("taken", "");
  EXPECT_THAT(message_of<ModelError>([&] { EventFileWriter(folder.path("taken"), 0); }),
              testing::HasSubstr("taken"));
}

}  // namespace
}  // namespace tfm
