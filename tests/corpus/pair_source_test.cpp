#include "tfm/corpus/pair_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compressed_file.h"
#include "corpus/read_pairs.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> read_all(const std::vector<std::filesystem::path>& names,
                                  const std::string& from = "", const std::string& to = "") {
  return read_pairs(*open_pairs(find_pair_files(names, from, to)));
}

constexpr const char* tmx =
    "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><body>\n"
    "<tu><tuv xml:lang=\"de\"><seg>Hund</seg></tuv><tuv xml:lang=\"en\"><seg>dog</seg></tuv></tu>\n"
    "</body></tmx>\n";

TEST(PairSource, ReadsEachFormInEachCompression) {
  const TemporaryFolder folder;
  for (const std::string ending : {"", ".gz", ".zst", ".xz", ".bz2"}) {
    const auto write = [&](const std::string& name, std::string_view content) {
      return write_compressed(folder, name + ending, ending, content);
    };
    const auto de = write("a.de", "Hund\nKatze\n");
    const auto en = write("a.en", "dog\r\ncat");
    const auto expected = ElementsAre("1:Hund|dog", "2:Katze|cat");
    EXPECT_THAT(read_all({de, en}), expected) << ending;
    EXPECT_THAT(read_all({folder.path("a")}, "de", "en"), expected) << ending;
    EXPECT_THAT(read_all({write("a.tsv", "Hund\tdog\nKatze\tcat\n")}), expected) << ending;
    EXPECT_THAT(read_all({write("a.tmx", tmx)}, "de", "en"), ElementsAre("3:Hund|dog")) << ending;
  }
}

TEST(PairsReadAhead, PassesOnAllPairsInTheirOrder) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.tsv", "Hund\tdog\nKatze\tcat\nMaus\tmouse\n");
  for (const std::size_t count : {0, 1, 3, 9}) {
    PairsReadAhead source(open_pairs(find_pair_files({file}, "", "")), count);
    EXPECT_EQ(source.ahead().size(), std::min<std::size_t>(count, 3));
    EXPECT_THAT(read_pairs(source), ElementsAre("1:Hund|dog", "2:Katze|cat", "3:Maus|mouse"));
    EXPECT_TRUE(source.ahead().empty());
    EXPECT_EQ(source.share_read(), 1);
  }
}

TEST(PairsReadAhead, HaveReadTheShareThatWasPassedOn) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.tsv", "Hund\tdog\nKatze\tcat\nMaus\tmouse\n");
  PairsReadAhead source(open_pairs(find_pair_files({file}, "", "")), 9);
  CorpusPair pair;
  for (const double share : {0.0, 1.0 / 3, 2.0 / 3, 1.0}) {
    EXPECT_DOUBLE_EQ(source.share_read().value(), share);
    source.next(pair);
  }
}

TEST(PairsReadAhead, ReadFewerPairsIfTheirTextIsLong) {
  const TemporaryFolder folder;
  const std::string line = std::string(1 << 20, 'a') + "\tb\n";
  std::string text;
  for (int i = 0; i < 20; ++i) text += line;
  const PairsReadAhead source(open_pairs(find_pair_files({folder.write("a.tsv", text)}, "", "")),
                              100);
  EXPECT_EQ(source.ahead().size(), 16U) << "16 MiB";
}

TEST(PairSource, DropsAByteOrderMark) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_all({folder.write("a.tsv", "\xEF\xBB\xBFHund\tdog\n")}),
              ElementsAre("1:Hund|dog"));
}

TEST(PairSource, MarksLinesWithoutExactlyOneTab) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_all({folder.write("a.tsv", "Hund\tdog\nKatze\na\tb\tc\n\n\t\n")}),
              ElementsAre("1:Hund|dog", "!2:Katze|", "!3:a\tb\tc|", "!4:|", "5:|"));
}

TEST(PairSource, ThrowsIfOneOfTwoFilesEnds) {
  const TemporaryFolder folder;
  const auto de = folder.write("a.de", "Hund\nKatze\n");
  const auto en = folder.write("a.en", "dog\n");
  const auto message = message_of<DataError>([&] { read_all({de, en}); });
  EXPECT_THAT(message, AllOf(HasSubstr("a.de"), HasSubstr("a.en"), HasSubstr("1")));
}

TEST(PairSource, NamesFileAndLineOfCorruptData) {
  const TemporaryFolder folder;
  std::string text;
  unsigned state = 1;
  for (int i = 0; i < 200'000; ++i) {
    state = state * 1103515245 + 12345;
    text += state % (1U << 31) < (1U << 27) ? '\n' : static_cast<char>('a' + (state >> 16) % 26);
  }
  const auto en = folder.write("a.en", text);
  for (const auto ending : compressed_endings) {
    const auto name = "a.de" + std::string(ending);
    std::string bytes = (write_compressed(folder, name, ending, text), folder.read(name));
    bytes.resize(bytes.size() / 2);
    const auto de = folder.write(name, bytes);
    const auto message = message_of<DataError>([&] { read_all({de, en}); });
    EXPECT_THAT(message, HasSubstr(name + ":")) << message;
  }
}

TEST(PairSource, SaysHowMuchIsRead) {
  const TemporaryFolder folder;
  const auto source = open_pairs({{folder.write("a.tsv", "Hund\tdog\n")}, "", ""});
  EXPECT_EQ(source->share_read(), 0);
  read_pairs(*source);
  EXPECT_EQ(source->share_read(), 1);
}

TEST(FindPairFiles, TakesLanguagesFromTheNamesOfTwoFiles) {
  const auto files = find_pair_files({"x/train.de.xz", "x/train.en"}, "", "");
  EXPECT_EQ(files.source_language, "de");
  EXPECT_EQ(files.target_language, "en");
  const auto named = find_pair_files({"x/train.de", "x/train.en"}, "nl", "");
  EXPECT_EQ(named.source_language, "nl");
}

TEST(FindPairFiles, FindsAPrefixAndNamesWhatIsMissing) {
  const TemporaryFolder folder;
  folder.write("corpus.de", "");
  EXPECT_THAT(
      message_of<ConfigError>([&] { find_pair_files({folder.path("corpus")}, "de", "en"); }),
      AllOf(HasSubstr("corpus.en does not exist"), HasSubstr("--from")));
  EXPECT_THAT(message_of<ConfigError>([&] { find_pair_files({folder.path("corpus")}, "", ""); }),
              AllOf(HasSubstr("does not exist"), HasSubstr("prefix")));
}

TEST(FindPairFiles, RefusesThreeFiles) {
  EXPECT_THAT(message_of<ConfigError>([] { find_pair_files({"a", "b", "c"}, "", ""); }),
              HasSubstr("3 files"));
}

TEST(OpenPairs, ThrowsIfAFileIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<DataError>(
                  [&] { open_pairs({{folder.path("no.de"), folder.path("no.en")}, "", ""}); }),
              HasSubstr("no.de"));
}

TEST(OpenPairs, AsksForTheLanguagesOfATmxFile) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.tmx", tmx);
  EXPECT_THAT(message_of<ConfigError>([&] { open_pairs({{file}, "", ""}); }),
              HasSubstr("--from and --to"));
}

}  // namespace
}  // namespace tfm
