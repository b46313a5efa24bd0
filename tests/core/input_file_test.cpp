#include "tfm/core/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class InputFileTest : public testing::Test {
 protected:
  std::filesystem::path make_pipe() {
    const auto file = folder_.path("pipe");
    EXPECT_EQ(::mkfifo(file.c_str(), 0600), 0);
    return file;
  }

  TemporaryFolder folder_;
};

TEST_F(InputFileTest, ReadsANamedPipeThatIsOpenedForWritingLater) {
  const auto pipe = make_pipe();
  std::string text;
  std::thread reader([&] { text = read_text_file(pipe); });
  std::ofstream(pipe) << "ein\n" << std::string(100000, 'x');
  reader.join();
  EXPECT_EQ(text, "ein\n" + std::string(100000, 'x'));
}

TEST_F(InputFileTest, LogsTheFileNameWhileWaitingAndThrowsIfASignalArrives) {
  install_signal_handlers();
  const CapturedLog log([](const std::string&) { std::raise(SIGINT); });
  const auto pipe = make_pipe();
  EXPECT_THROW(read_text_file(pipe), Interrupted);
  clear_interrupt();
  EXPECT_THAT(log.text(), HasSubstr("waiting for " + pipe.string()));
}

TEST_F(InputFileTest, RefusesAMissingFileAndAFolder) {
  EXPECT_THAT(message_of<DataError>([&] { InputFile(folder_.path("none")); }),
              HasSubstr("none: can't be opened: No such file"));
  EXPECT_THAT(message_of<DataError>([&] { InputFile(folder_.path("")); }),
              HasSubstr("is a folder"));
}

TEST_F(InputFileTest, RequireRegularFileRefusesANamedPipe) {
  const std::string message =
      message_of<DataError>([&] { require_regular_file(make_pipe(), "It is read twice."); });
  EXPECT_THAT(message, HasSubstr("pipe: is not a regular file"));
  EXPECT_THAT(message, HasSubstr("It is read twice. Write it to a file first."));
}

TEST(NearestFile, ReturnsTheFileWhoseNameDiffersLeast) {
  TemporaryFolder folder;
  for (const char* name : {"my.yaml", "train.de", "train.en"}) folder.write(name, "");
  std::filesystem::create_directory(folder.path("mine.yaml"));
  EXPECT_EQ(nearest_file(folder.path("my.yml")), folder.path("my.yaml"));
  EXPECT_EQ(nearest_file(folder.path("trian.en")), folder.path("train.en"));
  EXPECT_EQ(nearest_file(folder.path("mine.yml")), "") << "a folder";
  EXPECT_EQ(nearest_file(folder.path("train.fr")), "") << "another language is not a typing error";
  EXPECT_EQ(nearest_file(folder.path("none") / "a"), "");
}

}  // namespace
}  // namespace tfm
