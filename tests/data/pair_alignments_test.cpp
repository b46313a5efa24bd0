#include "tfm/data/pair_alignments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gzip_file.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ReadPairAlignments : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& lines) const {
    return read_pair_alignments(text, folder.write("train.align", lines));
  }
  std::string error(const std::string& lines) const {
    return message_of<DataError>([&] { read(lines); });
  }

  TemporaryFolder folder;
  ParallelText text = read_parallel({.source = folder.write("train.de", "ein Hund\n\nja !\nnein\n"),
                                     .target = folder.write("train.en", "a dog\nempty\nyes\nno\n"),
                                     .tsv = {}},
                                    BadLines::skip);
};

TEST_F(ReadPairAlignments, ReturnsTheLinksOfEachUsablePair) {
  ASSERT_EQ(text.source.size(), 3U) << "the second line is empty";
  EXPECT_THAT(read("1-1 0-0\n0-0\n1p0 0-0\r\n\n"), ElementsAre("0-0 1-1", "0-0 1-0", ""));
}

TEST_F(ReadPairAlignments, ReadsCompressedFiles) {
  EXPECT_THAT(read_pair_alignments(text, write_gzip(folder, "a.gz", "0-0\n\n\n0-0\n")),
              ElementsAre("0-0", "", "0-0"));
}

TEST_F(ReadPairAlignments, NamesTheLineOfAMalformedLink) {
  EXPECT_THAT(error("0-0\n0:0\n0-0\n0-0\n"),
              AllOf(HasSubstr("train.align:2: "), HasSubstr("'0:0' is not a word link")))
      << "although its pair is not usable";
}

TEST_F(ReadPairAlignments, NamesTheLineOfALinkBeyondTheWordsOfItsPair) {
  EXPECT_THAT(error("0-0\n\n1-1\n0-0\n"),
              AllOf(HasSubstr("train.align:3: the link 1-1 is beyond the words of its pair: "),
                    HasSubstr("train.de:3 has 2 words"), HasSubstr("train.en:3 has 1")));
  EXPECT_THAT(error("2-0\n\n\n\n"), HasSubstr("train.align:1: the link 2-0"));
}

TEST_F(ReadPairAlignments, RequiresALineForEachLineOfTheText) {
  EXPECT_THAT(error("0-0\n\n0-0\n"), HasSubstr("the file has 3 alignments, but its text has"));
  EXPECT_THAT(error("0-0\n\n0-0\n0-0\n0-0\n0-0\n"), HasSubstr("the file has 6 alignments"));
  EXPECT_THAT(error(""), HasSubstr("the file has 0 alignments"));
  EXPECT_THROW(read_pair_alignments(text, folder.path("missing")), DataError);
}

TEST_F(ReadPairAlignments, ReadsGoldAlignmentsOfEachLine) {
  const auto gold = read_gold_alignments(text, folder.write("gold", "0-0 1p1\n\n0-0\n0-0\n"));
  ASSERT_EQ(gold.size(), 4U);
  EXPECT_EQ(format_pharaoh(gold[0].sure), "0-0");
  EXPECT_EQ(format_pharaoh(gold[0].possible), "1-1");
  const auto gold_error = [&](const std::string& lines) {
    return message_of<DataError>([&] { read_gold_alignments(text, folder.write("gold", lines)); });
  };
  EXPECT_THAT(gold_error("0-0\n\n0p1\n0-0\n"), HasSubstr("gold:3: the link 0-1 is beyond"));
  EXPECT_THAT(gold_error("0-0\n\n0-0\n0-0\n0-0\n0-0\n"), HasSubstr("the file has 6 alignments"));
}

/// A TSV file that is its own file of alignments.
class LinksInTheText : public testing::Test {
 protected:
  ParallelText read(const std::string& lines) {
    config.train_tsv = folder.write("train.tsv", lines).string();
    config.alignments = {"train=" + config.train_tsv};
    auto text = read_parallel(train_files(config), BadLines::skip);
    text.alignments = read_pair_alignments(text, config.train_tsv);
    return text;
  }

  TemporaryFolder folder;
  DataConfig config;
};

TEST_F(LinksInTheText, AreTheThirdFieldsOfItsLines) {
  const auto text =
      read("ein Hund\ta dog\t1-1 0-0\nno tab\nja\tyes\nnein\tno\t\na\tb\tx\ty\nja\tyes\t0-0\r\n");
  EXPECT_THAT(text.source, ElementsAre("ein Hund", "ja", "nein", "ja"));
  EXPECT_THAT(text.target, ElementsAre("a dog", "yes", "no", "yes"));
  EXPECT_THAT(text.alignments, ElementsAre("0-0 1-1", "", "", "0-0"));
  ASSERT_EQ(text.skipped.size(), 2U);
  EXPECT_EQ(text.skipped[0].reason, "no tab");
  EXPECT_EQ(text.skipped[1].reason, "more than two tabs");
}

TEST_F(LinksInTheText, AreNamedWithTheirLineIfTheyAreMalformedOrBeyondTheWords) {
  EXPECT_THAT(message_of<DataError>([&] { read("a\tb\t0-0\na\tb\t0:0\n"); }),
              AllOf(HasSubstr("train.tsv:2: "), HasSubstr("'0:0' is not a word link")));
  EXPECT_THAT(message_of<DataError>([&] { read("a\tb\t0-1\n"); }),
              HasSubstr("train.tsv:1: the link 0-1 is beyond the words"));
}

TEST_F(LinksInTheText, BelongToTheSetWhoseFileItIs) {
  config.sets = {"a=a.tsv", "b=b.tsv", "c=c.de,c.en"};
  config.alignments = {"a=a.tsv", "b=a.tsv", "c=c.align"};
  const auto sets = training_sets(config);
  EXPECT_TRUE(sets[0].files.has_links);
  EXPECT_FALSE(sets[1].files.has_links) << "its links are in another file";
  EXPECT_FALSE(sets[2].files.has_links);
  config.alignments = {"a=./a.tsv"};
  EXPECT_TRUE(training_sets(config)[0].files.has_links) << "another name of the file";
}

TEST(AlignmentsFile, IsThatOfTheSet) {
  DataConfig config;
  config.alignments = {"clean=a.align", "bt=b.align.gz"};
  EXPECT_EQ(alignments_file(config, "bt"), "b.align.gz");
  EXPECT_FALSE(alignments_file(config, "other"));
  EXPECT_FALSE(alignments_file(config, ""));
  config.alignments = {"train=t.align"};
  EXPECT_EQ(alignments_file(config, ""), "t.align") << "the only text has no name";
}

}  // namespace
}  // namespace tfm
