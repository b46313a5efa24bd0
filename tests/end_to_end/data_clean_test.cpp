// Tests `tfm data clean` as a user runs it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "child.h"
#include "compressed_file.h"
#include "program.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::set<std::string> files_of(const Workplace& place) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(place.folder.path()))
    names.insert(entry.path().filename());
  for (const char* name : {"data", "configs", "stdin", "stdout", "stderr", "log"})
    names.erase(name);
  return names;
}

TEST(DataClean, SeparatesCleanPairsFromDirtyOnes) {
  const Workplace place;
  write_compressed(place.folder, "raw.de.xz", ".xz",
                   "Ein Hund rennt durch den Wald.\n\nKatze\xFF\nEin Hund rennt durch den Wald.\n"
                   "Der Bus fährt um acht Uhr ab.\n");
  place.folder.write("raw.en",
                     "A dog runs through the woods.\nempty\ncat\nA dog runs through the woods.\n"
                     "The bus leaves at eight o'clock.\n");
  const auto outcome = place.tfm("data clean raw.de.xz raw.en -o clean");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(place.folder.read("clean.de"),
            "Ein Hund rennt durch den Wald.\nDer Bus fährt um acht Uhr ab.\n");
  EXPECT_EQ(place.folder.read("clean.en"),
            "A dog runs through the woods.\nThe bus leaves at eight o'clock.\n");
  EXPECT_EQ(place.folder.read("clean.dropped.tsv"),
            "rule\tline\tsource\ttarget\nempty\t2\t\tempty\ninvalid_utf8\t3\tKatze\xFF\tcat\n"
            "duplicate_pairs\t4\tEin Hund rennt durch den Wald.\tA dog runs through the woods.\n");
  EXPECT_THAT(outcome.out, HasSubstr("5 pairs: 2 kept (40.00%), 3 dropped\n"));
  EXPECT_THAT(outcome.err, HasSubstr("wrote clean.dropped.tsv"));
}

TEST(DataClean, ReadsItsOwnOutputAsATranslatorsTrainingDataDoes) {
  const Workplace place;
  ASSERT_EQ(place.tfm("data clean data/cafe/train.de data/cafe/train.en -o clean").code, 0);
  const auto again = place.tfm("data clean clean --from de --to en -o again.tsv --format json");
  ASSERT_EQ(again.code, 0) << again.err;
  const auto report = nlohmann::json::parse(again.out);
  EXPECT_EQ(report["dropped"], 0);
  EXPECT_GT(report["kept"], 4900);
  const auto check = place.tfm("config init clean.de clean.en -o my.yaml");
  EXPECT_EQ(check.code, 0) << check.err;
}

TEST(DataClean, WritesTheReportAsAPage) {
  const Workplace place;
  place.folder.write("raw.de", "Ein Hund\n<b>Hund</b></script>\n\n");
  place.folder.write("raw.en", "A dog\n<b>dog</b></script>\n\n");
  const auto plain = place.tfm("data clean raw.de raw.en -o clean");
  const auto outcome = place.tfm("data clean raw.de raw.en -o clean --report-html clean.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, plain.out);
  EXPECT_THAT(outcome.err, HasSubstr("wrote clean.html"));
  const auto page = place.folder.read("clean.html");
  EXPECT_THAT(page, HasSubstr("Cleaning of raw.de, raw.en"));
  EXPECT_THAT(page, HasSubstr("clean.de, clean.en, clean.dropped.tsv"));
  EXPECT_THAT(page, HasSubstr(R"("source":"\u003cb>Hund\u003c/b>\u003c/script>")"));
  for (const char* name : {"raw.de", "clean.en", "clean.dropped.tsv"}) {
    const auto refused =
        place.tfm(std::string("data clean raw.de raw.en -o clean --report-html ") + name);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--report-html"));
  }
  EXPECT_EQ(place.tfm("data clean raw.de raw.en -o new --report-html ./new.de").code, 2)
      << "a file that does not exist yet";
  EXPECT_EQ(place.tfm("data clean raw.de raw.en -o clean --report-html no/clean.html").code, 1);
}

TEST(DataClean, DoesTheSameWithAnyThreadsAndMemory) {
  const Workplace place;
  std::string tsv;
  for (int i = 0; i < 120'000; ++i)
    tsv += "Haus " + std::to_string(i * 7919 % 90'001) + "\thouse " +
           std::to_string(i * 7919 % 90'001) + "\n";
  place.folder.write("raw.tsv", tsv);
  const std::string command = "data clean raw.tsv --copied off --duplicate-sources on ";
  const auto expected = place.tfm(command + "-o a.tsv --threads 1");
  ASSERT_EQ(expected.code, 0) << expected.err;
  EXPECT_THAT(expected.err, Not(HasSubstr("memory for duplicates")));
  const auto small = place.tfm(command + "-o b.tsv --threads 3 --memory 1");
  ASSERT_EQ(small.code, 0) << small.err;
  EXPECT_THAT(small.err, HasSubstr("the memory for duplicates is full"));
  EXPECT_EQ(small.out, expected.out);
  EXPECT_EQ(place.folder.read("b.tsv"), place.folder.read("a.tsv"));
  EXPECT_EQ(place.folder.read("b.dropped.tsv"), place.folder.read("a.dropped.tsv"));
  const auto kept = place.folder.read("a.tsv");
  EXPECT_EQ(std::ranges::count(kept, '\n'), 90'001);
  EXPECT_EQ(files_of(place),
            (std::set<std::string>{"raw.tsv", "a.tsv", "a.dropped.tsv", "b.tsv", "b.dropped.tsv"}));
}

TEST(DataClean, LeavesNothingIfTheInputIsDamaged) {
  const Workplace place;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "Haus " + std::to_string(i * 7919) + "\n";
  place.folder.write("raw.en", text);
  write_compressed(place.folder, "raw.de.zst", ".zst", text);
  std::filesystem::resize_file(place.folder.path("raw.de.zst"),
                               std::filesystem::file_size(place.folder.path("raw.de.zst")) / 2);
  place.folder.write("clean.de", "old\n");
  const auto outcome = place.tfm("data clean raw.de.zst raw.en -o clean");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("raw.de.zst:"));
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(place.folder.read("clean.de"), "old\n");
  EXPECT_EQ(files_of(place), (std::set<std::string>{"raw.de.zst", "raw.en", "clean.de"}));

  place.folder.write("short.en", "dog\n");
  const auto unequal = place.tfm("data clean raw.en short.en --to de -o clean");
  EXPECT_EQ(unequal.code, 1);
  EXPECT_THAT(unequal.err, AllOf(HasSubstr("raw.en"), HasSubstr("short.en")));
  EXPECT_EQ(place.folder.read("clean.de"), "old\n");
}

TEST(DataClean, ExplainsWrongCommandLines) {
  const Workplace place;
  place.folder.write("a.de", "Hund\n");
  place.folder.write("a.en", "dog\n");
  const auto error = [&](const std::string& arguments) {
    const auto outcome = place.tfm("data clean " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(error("a.de a.en"), HasSubstr("--output"));
  EXPECT_THAT(error("a.de a.en -o b --max-words few"),
              HasSubstr("must be off or a whole number from 1 to 1000000, not 'few'"));
  EXPECT_THAT(error("a.de a.en -o b --copied maybe"), HasSubstr("must be on or off, not 'maybe'"));
  EXPECT_THAT(error("a.de a.en -o b --max-word 5"), HasSubstr("--max-word"));
  EXPECT_THAT(error("a.de a.en -o a"), HasSubstr("is read and would be replaced"));
  EXPECT_THAT(error("a.de a.en -o b.gz"), HasSubstr("Leave out the ending .gz"));
  EXPECT_THAT(error("nothing -o b"), HasSubstr("does not exist"));
  EXPECT_EQ(place.tfm("data clean no.de a.en -o b").code, 1);
  EXPECT_EQ(files_of(place), (std::set<std::string>{"a.de", "a.en"}));
}

TEST(DataClean, WarnsOfRulesThatItCannotApply) {
  const Workplace place;
  place.folder.write("raw.tsv", "Hund\tdog\n");
  EXPECT_THAT(
      place.tfm("data clean raw.tsv -o a.tsv").err,
      AllOf(HasSubstr("the rule min_script is off"), HasSubstr("the rule language is off")));
  EXPECT_THAT(place.tfm("data clean raw.tsv -o a.tsv --min-script off --language off").err,
              Not(HasSubstr("the rule")));
}

TEST(DataClean, StopsAtASignalWithoutFiles) {
  const Workplace place;
  const auto pipe = place.folder.path("raw.tsv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Child child(place.folder.path(), "data clean raw.tsv -o clean.tsv");
  const int writer = ::open(pipe.c_str(), O_WRONLY);  // waits until the child has opened the pipe
  ASSERT_GE(writer, 0);
  std::string pairs;  // more than the program reads ahead before it opens its files
  for (int i = 0; i < 20'000; ++i) pairs += "Hund\tdog\n";
  ASSERT_EQ(::write(writer, pairs.data(), pairs.size()), std::ssize(pairs));
  while (files_of(place).size() < 3) ::usleep(1000);  // until its temporary files exist
  EXPECT_EQ(child.end_by(SIGINT), 130);
  ::close(writer);
  EXPECT_EQ(files_of(place), std::set<std::string>{"raw.tsv"});
}

TEST(DataClean, ReportsAFullDiskAndLeavesNothing) {
  const Workplace place;
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "Haus " + std::to_string(i) + "\n";
  place.folder.write("a.de", text);
  place.folder.write("a.en", text);
  const auto outcome =
      place.tfm("data clean a.de a.en -o b --copied off --format json", "", "ulimit -f 100;");
  EXPECT_NE(outcome.code, 0);
  EXPECT_EQ(files_of(place), (std::set<std::string>{"a.de", "a.en"}));
}

}  // namespace
}  // namespace tfm
