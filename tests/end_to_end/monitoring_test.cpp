// Tests what tfm shows about a run: before it (--dry-run), during it (progress line, report.html,
// TensorBoard files) and after it (model info, average, report).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "program.h"
#include "terminal.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string train =
    "train --config configs/demo.yaml model.hidden_size=32 model.transformer_ff=64 "
    "model.encoder_layers=1 model.decoder_layers=1 "
    "training.batch_size=512 training.valid_sentences=10 decoding.beam_size=1 training.threads=1 "
    "training.schedule=constant "
    "training.warmup_steps=2 training.log_every=2 training.keep_checkpoints=3 "
    "training.valid_steps=4 ";

struct RunMonitoring : TrainedSuite<RunMonitoring> {
  inline static const std::string command =
      train + "training.max_steps=12 data.valid_sets=first=data/cafe/test.de,data/cafe/test.en";
};

TEST_F(RunMonitoring, TrainingWritesAReportAndAnEventFileAndLogsSamples) {
  EXPECT_THAT(training.err, HasSubstr("step 8  validation first: loss"));
  EXPECT_TRUE(std::regex_search(
      training.err, std::regex("source     .+\n    model      .*\n    reference  .+\n")))
      << training.err;
  EXPECT_THAT(training.err, Not(HasSubstr("\033"))) << "progress lines need a terminal";
  EXPECT_THAT(place->folder.read("runs/cafe/report.html"),
              HasSubstr("finished: max_steps 12 reached"));
  const auto event_files = std::count_if(
      fs::directory_iterator(place->folder.path("runs/cafe")), {}, [](const auto& file) {
        return file.path().filename().string().starts_with("events.out.tfevents.");
      });
  EXPECT_EQ(event_files, 1);
}

TEST_F(RunMonitoring, ReportCommandWritesTheReportAgain) {
  fs::remove(place->folder.path("runs/cafe/report.html"));
  const auto outcome = place->tfm("report runs/cafe");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "runs/cafe/report.html\n");
  EXPECT_THAT(place->folder.read("runs/cafe/report.html"), HasSubstr("</html>"));
  EXPECT_EQ(place->tfm("report configs").code, 1);
  const auto two = place->tfm("report runs/cafe runs/../runs/cafe -o both.html");
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(two.out, "both.html\n");
  EXPECT_THAT(place->folder.read("both.html"), HasSubstr("\"runs/../runs/cafe\""));
}

TEST_F(RunMonitoring, ModelInfoPrintsParametersVocabularyAndScores) {
  const auto outcome = place->tfm("model info runs/cafe");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // 48,000 is 1500 tokens x 32 dimensions; the embeddings are tied, so there is one matrix
  EXPECT_THAT(outcome.out, testing::ContainsRegex("source_embedding +48,000 +[0-9.]+%"));
  EXPECT_THAT(outcome.out, HasSubstr("1500 tokens, source and target together"));
  EXPECT_THAT(outcome.out, HasSubstr("max_steps 12 reached"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("model.hidden_size +32"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("model.bias"))) << "it has its default";
  EXPECT_THAT(outcome.out, HasSubstr("3 checkpoints"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("  seconds +[0-9.]{1,7}\n")) << "is rounded";
  EXPECT_EQ(place->tfm("model info configs").code, 1);
}

TEST_F(RunMonitoring, ModelInfoPrintsJson) {
  const auto outcome = place->tfm("model info --format json runs/cafe");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto info = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(info["parameters"]["source_embedding"], 48000);
  EXPECT_EQ(info["vocabulary"],
            nlohmann::json({{"joint", true}, {"source", 1500}, {"target", 1500}}));
  EXPECT_EQ(info["report"], nlohmann::json::parse(place->folder.read("runs/cafe/report.json")));
  EXPECT_EQ(info["checkpoints"], 3);
  EXPECT_EQ(info["config"]["model.hidden_size"], "32");
  EXPECT_EQ(info["bytes"]["weights"],
            fs::file_size(place->folder.path("runs/cafe/model.safetensors")));
}

TEST_F(RunMonitoring, AverageWritesAModelThatTranslates) {
  const auto outcome = place->tfm("average runs/cafe --last 2 -o average");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("step-00000012"));
  EXPECT_EQ(place->tfm("translate -q -m average --max-length 5 hallo").code, 0);
  EXPECT_EQ(place->tfm("average runs/cafe average --last 2 -o other").code, 2);
  EXPECT_EQ(place->tfm("average runs/cafe --last 2 --best 2 -o other").code, 2);
}

TEST_F(RunMonitoring, CommandsAcceptACheckpointAsAModel) {
  place->folder.write("text", "hallo\n");
  const std::string checkpoint = "runs/cafe/checkpoints/step-00000008";
  const std::string model = " -m " + checkpoint + " ";
  const auto translated = place->tfm("translate -q" + model + "--max-length 5 hallo");
  EXPECT_EQ(translated.code, 0) << translated.err;
  for (const std::string& command : std::vector<std::string>{
           "score" + model + "--source text --target text",
           "evaluate" + model + "--source text --reference text --max-length 5",
           "export -o exported" + model, "model info " + checkpoint,
           "average " + checkpoint + " -o copy", "average runs/cafe --last 1 -o newest"}) {
    const auto outcome = place->tfm(command);
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
  }
  EXPECT_EQ(place->tfm("translate -q -m copy --max-length 5 hallo").out, translated.out);
  EXPECT_THAT(place->tfm("average " + checkpoint + " -o copy").err, HasSubstr("already"));
}

TEST_F(RunMonitoring, DryRunEstimatesTheRunAndWritesNothing) {
  const auto outcome =
      place->tfm(train + "training.max_steps=100000 training.run_folder=runs/dry --dry-run");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"longest batch", "tokens/s", "100000 updates", "free"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  EXPECT_FALSE(fs::exists(place->folder.path("runs/dry")));
  EXPECT_EQ(place->tfm(train + "--dry-run").code, 2) << "runs/cafe has a run";
}

TEST_F(RunMonitoring, ResumeUsesTheNamedRunFolder) {
  const auto resumed = place->tfm(command + " training.run_folder= --resume runs/cafe");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("the run in runs/cafe has ended: max_steps 12 reached"));
  const auto missing = place->tfm(command + " --resume runs/none");
  EXPECT_EQ(missing.code, 2) << missing.err;
  EXPECT_THAT(missing.err,
              HasSubstr("--resume: runs/none does not contain a run\n  Name a folder that "
                        "holds the config.yaml of a run"));
}

/// train.log has the log messages, each with its date.
TEST_F(RunMonitoring, LogFileHasTheMessagesOfTheRun) {
  const auto log = place->folder.read("runs/cafe/train.log");
  EXPECT_TRUE(std::regex_search(
      log, std::regex("I 20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9:]{8} step 8/12  epoch 1  loss ")))
      << log;
  EXPECT_THAT(log, HasSubstr("finished: max_steps 12 reached"));
  EXPECT_THAT(training.err, HasSubstr("translate  tfm translate -m runs/cafe"));
}

/// On a terminal, the progress line is erased before each log line, so each log line begins in the
/// first column.
TEST_F(RunMonitoring, TerminalShowsAProgressLineBelowTheLog) {
  Terminal terminal(*place, train + "training.max_steps=6 training.run_folder=runs/seen");
  const auto shown = terminal.show_until("finished: max_steps 6 reached");
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_THAT(shown, HasSubstr("\r\033[Kstep 1/6  epoch 1  loss "));
  EXPECT_TRUE(std::regex_search(shown, std::regex("I(\033\\[m)? [0-9:]{8} date 20[0-9]{2}-")));
  EXPECT_THAT(shown, testing::Not(HasSubstr("\r\nstep 1/6"))) << "the line below is older";
  EXPECT_THAT(shown, HasSubstr("\r\033[Kvalidation: loss, 0%"));
  EXPECT_THAT(shown, HasSubstr("\r\033[Kselecting the attention head for alignments: 0 of "));
  const auto count = [](const std::string& text, const std::string& pattern) {
    const std::regex regex(pattern);
    return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {});
  };
  EXPECT_EQ(count(shown, " sample\r\n"), count(shown, "validation: loss [0-9]"))
      << "one sample per validation";
  EXPECT_GT(count(place->folder.read("runs/seen/train.log"), " sample\n"),
            count(shown, " sample\r\n"));
  const std::regex log("[IW](\033\\[m)? [0-9]{2}:[0-9]{2}:[0-9]{2} ");
  std::size_t lines = 0;
  for (auto at = std::sregex_iterator(shown.begin(), shown.end(), log);
       at != std::sregex_iterator(); ++at, ++lines) {
    auto before = shown.substr(0, static_cast<std::size_t>(at->position()));
    if (const auto colour = before.find_last_of('\033');
        colour != before.npos && before.substr(colour).find('m') != before.npos)
      before.resize(colour);
    EXPECT_TRUE(before.empty() || before.ends_with("\n") || before.ends_with("\033[K"))
        << before.substr(before.size() > 80 ? before.size() - 80 : 0);
  }
  EXPECT_GT(lines, 5u);
}

TEST_F(RunMonitoring, LinesOnATerminalAreNotLongerThanTheTerminal) {
  Terminal terminal(*place, train + "training.max_steps=4 training.run_folder=runs/narrow",
                    "NO_COLOR=1");
  std::istringstream shown(terminal.show_until("never printed"));
  bool summarises = false;
  for (std::string line; std::getline(shown, line, '\n');) {
    summarises = summarises || line.find("finished: max_steps 4 reached") != line.npos;
    // A progress line is erased before the next text on its line.
    line.erase(0, line.rfind("\033[K") == line.npos ? 0 : line.rfind("\033[K") + 3);
    if (line.find("translate  tfm") == line.npos && line.find('/') == line.npos) {
      EXPECT_LE(line.size(), 81U) << line;
    }
    EXPECT_FALSE(std::regex_search(line, std::regex("rate [^ ]*e-0\r?$"))) << line;
  }
  EXPECT_TRUE(summarises);
}

/// A closed pipe ends the first dry run and SIGKILL the second, while their files exist. The third
/// removes the files of the second.
TEST_F(RunMonitoring, DryRunLeavesNothingBehind) {
  const std::string program = (fs::path(TFM_BINARY_DIR) / "tfm").string();
  const auto folder = place->folder.path("left");
  fs::create_directory(folder);
  const auto dry_run = program + " " + train + "--dry-run training.run_folder=left/run";
  const auto shell = [&](const std::string& command) {
    const auto status =
        std::system(("cd '" + place->folder.path().string() + "' && " + command).c_str());
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(shell(dry_run + " 2>&1 | head -n 1 >/dev/null"), 0);
  EXPECT_TRUE(fs::is_empty(folder)) << "after SIGPIPE";
  shell("{ " + dry_run +
        " model.hidden_size=512 >/dev/null 2>&1 & } && tries=0 && "
        "until ls left/.tfm-dry-run*/run >/dev/null 2>&1 || [ $tries = 1000 ]; do "
        "sleep 0.02; tries=$((tries + 1)); done; kill -KILL $!; wait 2>/dev/null");
  EXPECT_FALSE(fs::is_empty(folder)) << "the process ended before it was killed";
  EXPECT_EQ(shell(dry_run + " >/dev/null 2>&1"), 0);
  EXPECT_TRUE(fs::is_empty(folder)) << "after the dry run that follows SIGKILL";
}

TEST_F(RunMonitoring, CommandsThatReadLinesShowTheirProgressAndSpeed) {
  const std::string both = "--source data/cafe/test.de -m runs/cafe ";
  for (const auto& [command, done] :
       {std::pair<std::string, std::string>{
            "evaluate --max-length 5 --reference data/cafe/test.en " + both, "translated "},
        {"score --target data/cafe/test.en -o scores " + both, "scored "},
        {"translate --max-length 5 -i data/cafe/test.de -o out -m runs/cafe", "translated "}}) {
    Terminal terminal(*place, command);
    EXPECT_THAT(terminal.show_until(" left"), HasSubstr(" lines/s")) << command;
    EXPECT_THAT(terminal.show_until(" lines/s\r\n"), HasSubstr(done)) << command;
    EXPECT_EQ(terminal.end(), 0) << command;
  }
}

}  // namespace
}  // namespace tfm
