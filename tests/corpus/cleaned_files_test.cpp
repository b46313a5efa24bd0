#include "tfm/corpus/cleaned_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const CorpusPair dog{"Hund", "dog", 1, false};

TEST(CleanedNames, EndInTheLanguagesOrInTsv) {
  const auto two = cleaned_names("out/clean", "de", "en");
  EXPECT_THAT(two.kept, ElementsAre("out/clean.de", "out/clean.en"));
  EXPECT_EQ(two.dropped, "out/clean.dropped.tsv");
  const auto tsv = cleaned_names("clean.v2.tsv", "", "");
  EXPECT_THAT(tsv.kept, ElementsAre("clean.v2.tsv"));
  EXPECT_EQ(tsv.dropped, "clean.v2.dropped.tsv");
  EXPECT_THAT(cleaned_names("clean", "", "en").kept, ElementsAre("clean.source", "clean.en"));
}

TEST(CleanedNames, RefusesFoldersStandardOutputCompressionAndEqualLanguages) {
  for (const char* name : {"out/", "-"})
    EXPECT_THAT(message_of<ConfigError>([&] { cleaned_names(name, "de", "en"); }),
                HasSubstr("is not the beginning of a file name"));
  EXPECT_THAT(message_of<ConfigError>([] { cleaned_names("clean.tsv.gz", "de", "en"); }),
              HasSubstr("Leave out the ending .gz"));
  EXPECT_THROW(cleaned_names("clean", "de", "de"), ConfigError);
}

TEST(CleanedNames, RefuseToReplaceAnInput) {
  const TemporaryFolder folder;
  const auto input = folder.write("a.de", "");
  std::filesystem::create_directory(folder.path("sub"));
  const auto names = cleaned_names(folder.path("sub/../a"), "de", "en");
  EXPECT_THAT(message_of<ConfigError>([&] { refuse_to_replace({input}, names); }),
              HasSubstr("would be replaced"));
  refuse_to_replace({folder.path("other.de")}, names);
}

TEST(CleanedFiles, WriteTwoFilesAndWhatWasDropped) {
  const TemporaryFolder folder;
  {
    CleanedFiles files(cleaned_names(folder.path("clean"), "de", "en"));
    files.keep(dog);
    files.drop({"a\tb", "", 2, false}, 0);
    files.keep({"Katze", "cat", 3, false});
    EXPECT_FALSE(std::filesystem::exists(folder.path("clean.de")));
    files.commit();
  }
  EXPECT_EQ(folder.read("clean.de"), "Hund\nKatze\n");
  EXPECT_EQ(folder.read("clean.en"), "dog\ncat\n");
  EXPECT_EQ(folder.read("clean.dropped.tsv"), "rule\tline\tsource\ttarget\nmalformed\t2\ta b\t\n");
}

TEST(CleanedFiles, WriteOneTabPerLineOfATsvFile) {
  const TemporaryFolder folder;
  CleanedFiles files(cleaned_names(folder.path("clean.tsv"), "", ""));
  files.keep({"a\tb", "c\td", 1, false});
  files.commit();
  EXPECT_EQ(folder.read("clean.tsv"), "a b\tc d\n");
}

TEST(CleanedFiles, LeaveNothingWithoutCommit) {
  const TemporaryFolder folder;
  folder.write("clean.de", "old\n");
  {
    CleanedFiles files(cleaned_names(folder.path("clean"), "de", "en"));
    for (int i = 0; i < 400'000; ++i) files.keep(dog);
  }
  EXPECT_EQ(folder.read("clean.de"), "old\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(CleanedFiles, ThrowIfTheFolderIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THROW(CleanedFiles(cleaned_names(folder.path("no/clean"), "de", "en")), ModelError);
}

}  // namespace
}  // namespace tfm
