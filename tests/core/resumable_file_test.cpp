#include "tfm/core/resumable_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class ResumableFileTest : public testing::Test {
 protected:
  std::unique_ptr<ResumableFile> open(const std::string& input = "100 bytes") {
    return std::make_unique<ResumableFile>(folder.path("out"),
                                           JobFingerprint{{"input file", input}, {"beam", "4"}});
  }
  bool exists(const char* name) const { return std::filesystem::exists(folder.path(name)); }

  TemporaryFolder folder;
};

TEST_F(ResumableFileTest, PublishRenamesThePartFileAndRemovesTheJournal) {
  auto file = open();
  EXPECT_EQ(file->records(), 0);
  file->write("one\n");
  file->commit_records(1);
  EXPECT_FALSE(exists("out"));
  file->publish();
  EXPECT_EQ(folder.read("out"), "one\n");
  EXPECT_FALSE(exists("out.part"));
  EXPECT_FALSE(exists("out.part.journal"));
}

TEST_F(ResumableFileTest, ResumesAfterTheLastRecordInTheJournal) {
  auto file = open();
  file->write("one\ntwo\n");
  file->commit_records(2);
  file->flush_journal();
  file->write("thr");  // the process stops within the third record
  file.reset();
  file = open();
  EXPECT_EQ(file->records(), 2);
  file->write("three\n");
  file->commit_records(3);
  file->publish();
  EXPECT_EQ(folder.read("out"), "one\ntwo\nthree\n");
}

TEST_F(ResumableFileTest, StartsOverIfThePartFileIsMissing) {
  open()->flush_journal();
  std::filesystem::remove(folder.path("out.part"));
  EXPECT_EQ(open()->records(), 0);
}

TEST_F(ResumableFileTest, ThrowsWithTheDifferenceIfThePartFileBelongsToAnotherJob) {
  auto file = open();
  file->commit_records(1);
  file->flush_journal();
  file.reset();
  const auto message = message_of<ConfigError>([&] { open("200 bytes"); });
  EXPECT_THAT(message, HasSubstr("another input file (input file: 100 bytes; now 200 bytes)"));
  EXPECT_THAT(message, HasSubstr("out.part"));
}

TEST_F(ResumableFileTest, StartsOverIfThePartFileHasNoCompleteRecord) {
  open()->write("half a rec");
  const auto file = open("200 bytes");
  file->write("one\n");
  file->commit_records(1);
  file->publish();
  EXPECT_EQ(folder.read("out"), "one\n");
}

TEST_F(ResumableFileTest, ThrowsIfPartFileAndJournalDoNotMatch) {
  auto file = open();
  file->write("one\n");
  file->commit_records(1);
  file->flush_journal();
  file.reset();
  folder.write("out.part", "o");
  EXPECT_THAT(message_of<DataError>([&] { open(); }), HasSubstr("shorter than its journal says"));
  folder.write("out.part.journal", "something else");
  EXPECT_THAT(message_of<DataError>([&] { open(); }), HasSubstr("not a journal of this version"));
  std::filesystem::remove(folder.path("out.part.journal"));
  EXPECT_THAT(message_of<ConfigError>([&] { open(); }), HasSubstr("has no journal"));
  EXPECT_EQ(folder.read("out.part"), "o") << "a file of unknown origin is not modified";
}

TEST_F(ResumableFileTest, ThrowsIfThePartFileIsLocked) {
  const auto file = open();
  EXPECT_THAT(message_of<DataError>([&] { open(); }), HasSubstr("another process"));
}

}  // namespace
}  // namespace tfm
