#include "tfm/data/pair_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gzip_file.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class PairReaderTest : public testing::Test {
 protected:
  std::string message(std::string_view source, std::string_view target) const {
    try {
      check_line_counts(folder_.write("a.de", source), folder_.write("a.en", target));
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(PairReaderTest, ReadsPlainAndGzipFilesInParallel) {
  PairReader reader(write_gzip(folder_, "a.gz", "eins\n\ndrei\n"), folder_.write("a.en",
                                                                                 "one\ntwo\n"
                                                                                 "three"));
  std::string source;
  std::string target;
  std::vector<std::string> pairs;
  while (reader.next(source, target)) pairs.push_back(source + "|" + target);
  EXPECT_THAT(pairs, testing::ElementsAre("eins|one", "|two", "drei|three"));
  EXPECT_EQ(reader.line_number(), 3);
}

TEST_F(PairReaderTest, ThrowsWithBothLineCountsIfTheyDiffer) {
  EXPECT_EQ(message("1\n2\n", "1\n2\n"), "");
  EXPECT_EQ(message("", ""), "");
  for (const auto& text : {message("1\n2\n3\n", "1\n"), message("1\n2\n3\n", "1\n2\n")}) {
    EXPECT_THAT(text, HasSubstr("a.de has 3 lines, but "));
    EXPECT_THAT(text, HasSubstr("a.en has "));
  }
  EXPECT_THAT(message("1\n", "1\n2\n"), HasSubstr("a.de has 1 lines, but "));
  EXPECT_THAT(message("1\n", ""), HasSubstr("a.en: the file is empty"));
}

TEST_F(PairReaderTest, CheckLineCountsDoesNothingForADevice) {
  EXPECT_NO_THROW(check_line_counts("/dev/null", folder_.write("a.en", "1\n")));
}

TEST_F(PairReaderTest, ReadsBothSidesFromOneFile) {
  PairReader reader(folder_.write("a.tsv", "eins\tone\n\t\ndrei\tthree"));
  std::string source;
  std::string target;
  std::vector<std::string> pairs;
  while (reader.next(source, target)) pairs.push_back(source + "|" + target);
  EXPECT_THAT(pairs, testing::ElementsAre("eins|one", "|", "drei|three"));
}

TEST_F(PairReaderTest, RejectsALineWithoutExactlyOneTab) {
  const auto error = [&](std::string_view text) -> std::string {
    try {
      check_tabs(folder_.write("a.tsv", text));
    } catch (const DataError& caught) {
      return caught.what();
    }
    return "";
  };
  EXPECT_THAT(error("a\tb\nc\n"), HasSubstr("a.tsv:2: the line has no tab\n"));
  EXPECT_THAT(error("a\tb\tc\n"), HasSubstr("a.tsv:1: the line has more than one tab\n"));
  EXPECT_EQ(error("a\tb\n"), "");
}

}  // namespace
}  // namespace tfm
