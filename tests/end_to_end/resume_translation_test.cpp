// Tests tfm translate --resume: a translation that was killed at any moment resumes and ends with
// the output of an uninterrupted translation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "child.h"
#include "small_translator.h"
#include "tfm/core/clock.h"

namespace tfm {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class ResumeTranslation : public TrainedSuite<ResumeTranslation> {
 public:
  static constexpr const char* command = train_small_translator;

 protected:
  static void SetUpTestSuite() {
    TrainedSuite<ResumeTranslation>::SetUpTestSuite();
    const auto source = place->folder.read("data/cafe/test.de");
    std::string text;
    while (std::count(text.begin(), text.end(), '\n') < 20'000) text += source + "\n";
    place->folder.write("in.de", text);
    translate_straight("translate -i long.de --threads 1 --beam-size 1");
    place->folder.write("in.de", place->folder.read("long.de"));
  }

  static fs::path path(const char* name) { return place->folder.path(name); }

  /// Returns the number of translated lines in the journal, or -1 if there is no complete journal.
  static std::int64_t lines_done() {
    std::ifstream journal(path("out.part.journal"));
    std::string heading;
    std::int64_t lines = -1;
    std::getline(journal, heading);
    return journal >> lines ? lines : -1;
  }

  /// Writes a file long.de whose translation takes more than two seconds on this machine, and the
  /// translation to `straight`. A translation that takes so long can be killed between two updates
  /// of its journal.
  static void translate_straight(const std::string& arguments) {
    for (auto text = place->folder.read("in.de");; text += text) {
      place->folder.write("long.de", text);
      const double start = steady_seconds();
      ASSERT_EQ(place->tfm(arguments + " -o straight").code, 0);
      if (steady_seconds() - start > 2) return;
    }
  }

  /// Starts the translation and kills it when its first lines are in the journal.
  static void start_and_kill(const std::string& arguments) {
    Child child(place->folder.path(), arguments);
    while (child.runs() && lines_done() < 1) ::usleep(2000);
    child.end_by(SIGKILL);
  }

  static void remove_part() {
    fs::remove(path("out.part"));
    fs::remove(path("out.part.journal"));
  }

  /// Starts the translation and kills it `kills` times, each time after some progress, then
  /// completes it. On a fast machine, the translation may be complete before the last kill.
  static void kill_and_resume(const std::string& arguments, int kills) {
    std::mt19937 random(3);
    int killed = 0;
    for (; killed < kills; ++killed) {
      const auto from = std::max<std::int64_t>(0, lines_done());
      Child child(place->folder.path(), arguments);
      while (child.runs() && lines_done() <= from) ::usleep(2000);
      ::usleep(static_cast<useconds_t>(random() % 300'000));
      child.end_by(SIGKILL);
      if (fs::exists(path("out"))) break;
    }
    EXPECT_GT(killed, 0);
    if (!fs::exists(path("out"))) {
      Child last(place->folder.path(), arguments);
      EXPECT_EQ(last.wait(), 0) << place->folder.read("log");
    }
    EXPECT_THAT(place->folder.read("log"), HasSubstr("resuming after "));
  }
};

TEST_F(ResumeTranslation, EndsWithTheOutputOfAnUninterruptedTranslation) {
  for (const std::string options : {"--beam-size 2 --n-best 2", "--format jsonl --beam-size 1",
                                    "--sampling --n-best 2 --format text --alignment"}) {
    const std::string arguments = "translate -i long.de --threads 1 " + options;
    translate_straight(arguments);
    kill_and_resume(arguments + " -o out --resume", 4);
    EXPECT_TRUE(place->folder.read("out") == place->folder.read("straight")) << options;
    EXPECT_FALSE(fs::exists(path("out.part")) || fs::exists(path("out.part.journal")));
    fs::remove(path("out"));
  }
}

TEST_F(ResumeTranslation, ResumesACompressedFileAfterAnInterrupt) {
  std::system(("cd '" + place->folder.path().string() + "' && gzip -k in.de").c_str());
  const std::string arguments = "translate -i in.de.gz --threads 1 --beam-size 1 -o out --resume";
  Child child(place->folder.path(), arguments);
  while (child.runs() && lines_done() < 1) ::usleep(2000);
  EXPECT_EQ(child.end_by(SIGINT), 130);
  EXPECT_THAT(place->folder.read("log"), HasSubstr("are kept in"));
  const auto done = lines_done();
  EXPECT_GT(done, 0);
  const auto rest = place->tfm(arguments);
  EXPECT_EQ(rest.code, 0);
  EXPECT_THAT(rest.err, HasSubstr("resuming after " + std::to_string(done) + " lines"));
  place->tfm("translate -i in.de --threads 1 --beam-size 1 -o straight");
  EXPECT_TRUE(place->folder.read("out") == place->folder.read("straight"));
}

TEST_F(ResumeTranslation, RejectsAChangedShortlistOfTheSameName) {
  fs::remove(path("out"));
  ASSERT_EQ(place->tfm("shortlist -o list").code, 0);
  const std::string arguments =
      "translate -i in.de --threads 1 --beam-size 1 --shortlist list -o out --resume";
  start_and_kill(arguments);
  ASSERT_EQ(place->tfm("shortlist -o list --per-token 1").code, 0);
  const auto refused = place->tfm(arguments);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("another shortlist"));
  remove_part();
}

TEST_F(ResumeTranslation, RejectsChangedEntriesOfADictionary) {
  fs::remove(path("out"));
  place->folder.write("words.tsv", "Bier\tbeer\n");
  const std::string arguments =
      "translate -i in.de --threads 1 --beam-size 1 --replace-unknown --unknown-dictionary "
      "words.tsv -o out --resume";
  start_and_kill(arguments);
  place->folder.write("words.tsv", "Bier\tale\n");
  const auto refused = place->tfm(arguments);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("another dictionary"));
  remove_part();
}

/// data.max_length determines where a long line is split, so the translation depends on it.
TEST_F(ResumeTranslation, RejectsAnEditedConfigOfTheModel) {
  fs::remove(path("out"));
  fs::copy(path("runs/small"), path("edited"), fs::copy_options::recursive);
  const std::string arguments =
      "translate -m edited -i in.de --threads 1 --beam-size 1 -o out --resume";
  start_and_kill(arguments);
  auto config = place->folder.read("edited/config.yaml");
  const std::string before = "max_length: 64";
  config.replace(config.find(before), before.size(), "max_length: 32");
  place->folder.write("edited/config.yaml", config);
  const auto refused = place->tfm(arguments);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("another data.max_length"));
  remove_part();
}

TEST_F(ResumeTranslation, RejectsChangedOptionsAndInput) {
  fs::remove(path("out"));
  const std::string arguments = "translate -i in.de --threads 1 --beam-size 1 -o out --resume";
  start_and_kill(arguments);
  const auto other_beam =
      place->tfm("translate -i in.de --threads 1 --beam-size 2 -o out --resume");
  EXPECT_EQ(other_beam.code, 2);
  EXPECT_THAT(other_beam.err, HasSubstr("another decoding.beam_size"));
  place->folder.write("other.de", place->folder.read("in.de") + "Noch eine.\n");
  EXPECT_THAT(place->tfm("translate -i other.de --threads 1 --beam-size 1 -o out --resume").err,
              HasSubstr("another input file"));
  EXPECT_EQ(place->tfm("translate --resume -o out 'ein Bier'").code, 2);
  EXPECT_EQ(place->tfm("translate --resume -i in.de").code, 2);
  EXPECT_EQ(place->tfm("translate --resume -i in.de -o out --attention a.html").code, 2);
  EXPECT_EQ(place->tfm("translate --resume -i /dev/null -o out").code, 2);
}

TEST_F(ResumeTranslation, InterruptedCommandsWithoutResumeLeaveNoFiles) {
  const auto files = [] {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(place->folder.path())) {
      if (entry.path().string().find("never") != std::string::npos)
        names.push_back(entry.path().filename().string());
    }
    return names;
  };
  for (const std::string command :
       {"evaluate --source in.de --reference in.de -o never", "translate -i in.de -o never",
        "score --source in.de --target in.de --precision fp32 -o never"}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      Child child(place->folder.path(), command + " --threads 1");
      while (child.runs() && files().empty()) ::usleep(2000);
      ::usleep(200'000);
      EXPECT_EQ(child.end_by(signal), 130) << command;
      EXPECT_THAT(place->folder.read("log"), HasSubstr("interrupted: the ")) << command;
      EXPECT_THAT(files(), testing::IsEmpty()) << command;
    }
  }
}

}  // namespace
}  // namespace tfm
