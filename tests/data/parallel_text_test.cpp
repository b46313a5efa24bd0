#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gzip_file.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/data/corpus.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ReadParallel : public testing::Test {
 protected:
  ParallelText pair(std::string_view source, std::string_view target,
                    BadLines bad_lines = BadLines::skip) {
    return read_parallel({folder_.write("a.de", source), folder_.write("a.en", target), {}},
                         bad_lines);
  }
  ParallelText tsv(std::string_view content, BadLines bad_lines = BadLines::skip) {
    return read_parallel({{}, {}, folder_.write("a.tsv", content)}, bad_lines);
  }
  std::string place(std::string_view name, int line) const {
    return folder_.path(name).string() + ":" + std::to_string(line);
  }

  TemporaryFolder folder_;
};

TEST_F(ReadParallel, AlignsTwoFiles) {
  const ParallelText text = pair("eins\nzwei\n", "one\r\ntwo");
  EXPECT_THAT(text.source, ElementsAre("eins", "zwei"));
  EXPECT_THAT(text.target, ElementsAre("one", "two"));
  EXPECT_THAT(text.line, ElementsAre(1, 2));
  EXPECT_THAT(text.skipped, IsEmpty());
}

TEST_F(ReadParallel, ReadsAGzipFileTogetherWithAPlainFile) {
  const ParallelText text = read_parallel(
      {write_gzip(folder_, "a.gz", "eins\n"), folder_.write("a.en", "one\n"), {}}, BadLines::error);
  EXPECT_THAT(text.source, ElementsAre("eins"));
}

TEST_F(ReadParallel, ThrowsWithBothLineCountsIfTheyDiffer) {
  const std::string message = message_of<DataError>([&] { pair("1\n2\n3\n4\n5\n", "1\n2\n3\n"); });
  EXPECT_THAT(message, HasSubstr("a.de has 5 lines, but "));
  EXPECT_THAT(message, HasSubstr("a.en has 3"));
  EXPECT_THAT(message_of<DataError>([&] { pair("1\n", "1\n2\n3\n4\n"); }), HasSubstr("a.en has 4"));
}

TEST_F(ReadParallel, ThrowsForAnEmptyFile) {
  EXPECT_THAT(message_of<DataError>([&] { pair("", "1\n"); }),
              HasSubstr("a.de: the file is empty"));
  EXPECT_THAT(message_of<DataError>([&] { pair("1\n", ""); }),
              HasSubstr("a.en: the file is empty"));
  EXPECT_THAT(message_of<DataError>([&] { tsv(""); }), HasSubstr("a.tsv: the file is empty"));
}

TEST_F(ReadParallel, ThrowsForAMissingFile) {
  EXPECT_THAT(message_of<DataError>([&] {
                read_parallel({folder_.path("none"), folder_.write("a", "x"), {}}, BadLines::skip);
              }),
              HasSubstr("none"));
}

TEST_F(ReadParallel, SkipsBadLinesAndRecordsTheirPlacesIfBadLinesIsSkip) {
  const ParallelText text =
      pair("eins\n\xFF\n \t\nvier\nf\xC3\nsechs\n", "one\ntwo\nthree\n\nfive\nsix\n");
  EXPECT_THAT(text.source, ElementsAre("eins", "sechs"));
  EXPECT_THAT(text.target, ElementsAre("one", "six"));
  EXPECT_THAT(text.line, ElementsAre(1, 6)) << "line numbers are those of the file";
  ASSERT_EQ(text.skipped.size(), 2u);
  EXPECT_EQ(text.skipped[0].reason, "invalid UTF-8");
  EXPECT_EQ(text.skipped[0].count, 2);
  const auto places = [&](std::size_t i) {
    std::vector<std::string> texts;
    for (const LinePlace& each : text.skipped[i].first) texts.push_back(each.text());
    return texts;
  };
  EXPECT_THAT(places(0), ElementsAre(place("a.de", 2), place("a.de", 5)));
  EXPECT_EQ(text.skipped[1].reason, "empty side");
  EXPECT_THAT(places(1), ElementsAre(place("a.de", 3), place("a.en", 4)));
}

TEST_F(ReadParallel, ThrowsForABadLineIfBadLinesIsError) {
  EXPECT_THAT(message_of<DataError>([&] { pair("eins\n\xFF\n", "one\ntwo\n", BadLines::error); }),
              StartsWith(place("a.de", 2) + ": invalid UTF-8"));
  EXPECT_THAT(message_of<DataError>([&] { pair("eins\n", "\n", BadLines::error); }),
              StartsWith(place("a.en", 1) + ": empty side"));
  EXPECT_THAT(message_of<DataError>([&] { tsv("eins\tone\nzwei\n", BadLines::error); }),
              StartsWith(place("a.tsv", 2) + ": no tab"));
}

TEST_F(ReadParallel, ReadsTsvLinesWithExactlyOneTab) {
  const ParallelText text = tsv("eins\tone\nzwei two\ndrei\tthree\tIII\nvier\tfour\r\n");
  EXPECT_THAT(text.source, ElementsAre("eins", "vier"));
  EXPECT_THAT(text.target, ElementsAre("one", "four"));
  EXPECT_THAT(describe(text.skipped),
              ElementsAre("1 pair skipped: no tab (" + place("a.tsv", 2) + ")",
                          "1 pair skipped: more than one tab (" + place("a.tsv", 3) + ")"));
}

TEST_F(ReadParallel, ThrowsIfNoPairIsLeft) {
  const std::string message = message_of<DataError>([&] { tsv("eins\nzwei\n"); });
  EXPECT_THAT(message, HasSubstr("no usable sentence pair"));
  EXPECT_THAT(message, HasSubstr("2 pairs skipped: no tab"));
}

TEST(DescribeSkipped, ListsCountReasonAndFirstLocations) {
  EXPECT_THAT(
      describe({{.reason = "over 5 tokens",
                 .count = 4,
                 .first = {{"a", 1}, {"a", 2}, {"a", 3}},
                 .truncated = false},
                {.reason = "over 5 tokens", .count = 1, .first = {{"a", 9}}, .truncated = true}}),
      ElementsAre("4 pairs skipped: over 5 tokens (a:1, a:2, a:3, ...)",
                  "1 pair truncated: over 5 tokens (a:9)"));
}

TEST(TrainFilesAndValidFiles, ReturnTheFilesThatTheConfigNames) {
  DataConfig config;
  EXPECT_TRUE(train_files(config).empty());
  config.train_source = "a";
  config.train_target = "b";
  config.valid_tsv = "c";
  EXPECT_EQ(train_files(config).target, "b");
  EXPECT_EQ(valid_files(config).tsv, "c");
  EXPECT_FALSE(valid_files(config).empty());
}

}  // namespace
}  // namespace tfm
