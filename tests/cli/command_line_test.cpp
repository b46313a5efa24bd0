#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/config_command.h"
#include "cli/config_init_command.h"
#include "cli/evaluate_command.h"
#include "cli/model_info_command.h"
#include "cli/report_command.h"
#include "cli/score_command.h"
#include "cli/train_command.h"
#include "cli/translate_command.h"
#include "parsed.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The exit code and the output of a command line.
struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

Outcome run_and_capture(const Command& command, const Arguments& arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run_with(command, arguments);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

Command failing_report(int code) {
  return report_command([code](const ReportOptions&) { return code; });
}

TEST(CommandLine, ReturnsTheExitCodeOfTheCommand) {
  EXPECT_EQ(run_with(failing_report(0), {"report", "runs/a"}), 0);
  EXPECT_EQ(run_with(failing_report(1), {"report", "runs/a"}), 1);
}

TEST(CommandLine, ThrowsTheErrorsOfTheCommand) {
  const Command command = report_command(
      [](const ReportOptions&) -> int { throw DataError("runs/a", "is not a run folder"); });
  EXPECT_THROW(run_with(command, {"report", "runs/a"}), DataError);
}

/// Returns the problem and the hint of the ConfigError that the command line causes, separated by a
/// line feed.
std::string usage_error(const Command& command, const Arguments& arguments) {
  try {
    run_with(command, arguments);
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return std::string(error.problem()) + "\n" + std::string(error.hint());
  }
  return "no error";
}

TEST(CommandLine, PrintsNothingToStdoutOnWrongUsage) {
  for (const Arguments& wrong : {Arguments{}, Arguments{"report"}, Arguments{"report", "--"}}) {
    testing::internal::CaptureStdout();
    EXPECT_NE(usage_error(failing_report(0), wrong), "no error") << testing::PrintToString(wrong);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << testing::PrintToString(wrong);
  }
}

TEST(CommandLine, SuggestsTheNearestCommandForAnUnknownCommand) {
  EXPECT_EQ(usage_error(failing_report(0), {"reprot", "runs/a"}),
            "'reprot' is not a command of tfm\n"
            "Did you mean `tfm report`? `tfm --help` lists the commands.");
  EXPECT_EQ(usage_error(failing_report(0), {"fly"}),
            "'fly' is not a command of tfm\n`tfm --help` lists the commands.");
}

TEST(CommandLine, IncludesTheGroupInASuggestedCommand) {
  EXPECT_EQ(usage_error(config_check_command(), {"chekc", "a.yaml"}),
            "'chekc' is not a command of tfm\n"
            "Did you mean `tfm config check`? `tfm --help` lists the commands.");
  EXPECT_EQ(usage_error(config_check_command(), {"config", "chekc", "a.yaml"}),
            "'chekc' is not a command of tfm config\n"
            "Did you mean `tfm config check`? `tfm config --help` lists the commands.");
  EXPECT_EQ(usage_error(config_check_command(), {"help", "config", "chekc"}),
            "'chekc' is not a command of tfm config\n"
            "Did you mean `tfm config check`? `tfm config --help` lists the commands.");
}

TEST(CommandLine, SuggestsTheNearestOptionForAnUnknownOption) {
  EXPECT_EQ(usage_error(translate_command(), {"translate", "--beam_sise=3"}),
            "'--beam-sise' is not an option of tfm translate\n"
            "Did you mean --beam-size? `tfm translate --help` lists the options.");
  EXPECT_EQ(usage_error(train_command(), {"train", "--confg", "a.yaml"}),
            "'--confg' is not an option of tfm train\n"
            "Did you mean --config? `tfm train --help` lists the options.");
  EXPECT_EQ(usage_error(failing_report(0), {"report", "runs/a", "--quite"}),
            "'--quite' is not an option of tfm report\n"
            "Did you mean --quiet? `tfm report --help` lists the options.");
  EXPECT_EQ(usage_error(failing_report(0), {"report", "runs/a", "--colour"}),
            "'--colour' is not an option of tfm report\n`tfm report --help` lists the options.");
}

TEST(CommandLine, SuggestsTheConfigFieldThatAnUnknownOptionNames) {
  EXPECT_EQ(usage_error(train_command(), {"train", "-c", "a.yaml", "--max-steps", "4"}),
            "'--max-steps' is not an option of tfm train\n"
            "Write a config field without dashes: training.max_steps=4. `tfm train --help` lists "
            "the options.");
  EXPECT_THAT(
      usage_error(config_check_command(), {"config", "check", "a.yaml", "--dim_emb=64"}),
      HasSubstr("'dim-emb' of Marian is model.hidden_size in tfm: write model.hidden_size=64."));
}

TEST(CommandLine, RefusesASuperfluousArgument) {
  EXPECT_EQ(usage_error(model_info_command(), {"model", "info", "runs/a", "runs/b"}),
            "tfm model info does not take the argument 'runs/b'\n"
            "`tfm model info --help` lists the options.");
}

TEST(CommandLine, ModelInfoTakesTheFolderAsAnArgumentOrAsAnOption) {
  for (const Arguments& given : {Arguments{"runs/a"}, Arguments{"-m", "runs/a"},
                                 Arguments{"--model", "runs/a"}, Arguments{"--model=runs/a"}}) {
    Arguments arguments{"model", "info"};
    arguments.insert(arguments.end(), given.begin(), given.end());
    const auto options = parsed(model_info_command, arguments);
    ASSERT_TRUE(options) << testing::PrintToString(given);
    EXPECT_EQ(options->folder, "runs/a");
  }
  EXPECT_FALSE(parsed(model_info_command, {"model", "info", "runs/a", "-m", "runs/b"}));
}

TEST(CommandLine, SuggestsANameThatBeginsWithTheUnknownWord) {
  EXPECT_THAT(usage_error(translate_command(), {"translate", "--beam", "5"}),
              HasSubstr("Did you mean --beam-size? "));
  EXPECT_THAT(usage_error(failing_report(0), {"rep"}), HasSubstr("Did you mean `tfm report`? "));
  EXPECT_THAT(usage_error(failing_report(0), {"version"}),
              HasSubstr("Did you mean `tfm --version`? "));
}

TEST(CommandLine, ListsTheCommandsIfNoCommandIsGiven) {
  EXPECT_EQ(usage_error(failing_report(0), {}),
            "tfm needs a command\n"
            "Its commands are report, help, completions. `tfm --help` describes them.");
  EXPECT_EQ(usage_error(config_check_command(), {"config"}),
            "tfm config needs a command\n"
            "Its commands are check. `tfm config --help` describes them.");
}

TEST(CommandLine, AddsAHintToUsageErrors) {
  EXPECT_EQ(usage_error(failing_report(0), {"report"}),
            "FOLDER is required\n`tfm report --help` lists the options.");
  EXPECT_EQ(usage_error(translate_command(), {"translate", "--format", "xml"}),
            "--format: 'xml' is not a known format (jsonl, marian, text)\n"
            "`tfm translate --help` lists the options.");
  EXPECT_EQ(usage_error(train_command(), {"train"}),
            "tfm train needs a config file or config fields\n"
            "Name a file, as in `tfm train my.yaml`; `tfm config init` writes one.");
}

TEST(CommandLine, RefusesAFlagValueThatIsNotABoolean) {
  for (const std::string value : {"maybe", "xyz", "2", "99999999999999999999"}) {
    for (const std::string flag : {"--sampling", "--reproducible", "--keep-markup", "--resume"}) {
      EXPECT_EQ(usage_error(translate_command(), {"translate", flag + "=" + value}),
                flag + ": '" + value + "' is neither true nor false\n" +
                    "`tfm translate --help` lists the options.");
    }
  }
}

TEST(CommandLine, AcceptsFlagsWithAndWithoutAValue) {
  const auto options = parsed(
      translate_command,
      {"translate", "--sampling=false", "--reproducible=true", "--keep-markup", "--resume=1"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->resume);
  EXPECT_THAT(options->decoding,
              testing::UnorderedElementsAre("decoding.sampling=false", "decoding.reproducible=true",
                                            "decoding.keep_markup=true"));
}

TEST(CommandLine, SaysWhichValuesAnOptionTakes) {
  EXPECT_EQ(usage_error(evaluate_command(), {"evaluate", "--confidence=perhaps"}),
            "--confidence: 'perhaps' is neither true nor false\n"
            "`tfm evaluate --help` lists the options.");
  const std::string hint = "`tfm translate --help` lists the options.";
  for (const std::string value : {"abc", "4097", "-1", "1.5", "3x"}) {
    EXPECT_EQ(usage_error(translate_command(), {"translate", "--threads=" + value}),
              "--threads: '" + value + "' is not a whole number from 0 to 4096\n" + hint);
  }
  EXPECT_TRUE(parsed(translate_command, {"translate", "--threads", "4096"}));
  EXPECT_EQ(usage_error(score_command(), {"score", "--normalize", "eleven"}),
            "--normalize: 'eleven' is not a number from 0 to 10\n"
            "`tfm score --help` lists the options.");
  EXPECT_EQ(usage_error(translate_command(), {"completions", "csh"}),
            "shell: 'csh' is not a known shell (bash, fish, zsh)\n"
            "`tfm completions --help` lists the options.");
}

TEST(CommandLine, ChecksTheValuesOfConfigFields) {
  EXPECT_EQ(usage_error(translate_command(), {"translate", "--beam-size", "0"}),
            "--beam-size: must be between 1 and 1024, not 0\n"
            "`tfm translate --help` lists the options.");
  EXPECT_THAT(usage_error(train_command(), {"train", "a.yaml", "--threads=abc"}),
              HasSubstr("--threads: must be a whole number, not 'abc'\n"));
  EXPECT_THAT(usage_error(translate_command(), {"translate", "--precision", "fp8"}),
              HasSubstr("--precision: must be auto, fp32, bf16, fp16 or int8, not 'fp8'\n"));
}

TEST(CommandLine, SaysWhatAnOptionNeedsInItsOwnWords) {
  const std::string evaluate = "\n`tfm evaluate --help` lists the options.";
  const Arguments start{"evaluate", "--reference", "r"};
  const auto error = [&](Arguments more) {
    more.insert(more.begin(), start.begin(), start.end());
    return usage_error(evaluate_command(), more);
  };
  EXPECT_EQ(
      error({"--bootstrap-seed", "abc"}),
      "--bootstrap-seed: 'abc' is not a whole number from 0 to 9223372036854775807" + evaluate);
  EXPECT_EQ(error({"--beam-size"}), "--beam-size needs a value, N" + evaluate);
  EXPECT_EQ(error({"--tokenize"}), "--tokenize needs a value, NAME" + evaluate);
  EXPECT_EQ(error({"--output", "a", "-o", "b"}), "--output is given several times" + evaluate);
  EXPECT_EQ(error({"--alignment", "a"}), "--alignment needs --source" + evaluate);
  EXPECT_EQ(error({"--source", "a", "--hypothesis", "b"}),
            "--source can't be combined with --hypothesis" + evaluate);
  EXPECT_EQ(usage_error(config_init_command(), {"config", "init", "--preset", "huge"}),
            "--preset: 'huge' is not a known preset (tiny, base, big)\n"
            "`tfm config init --help` lists the options.");
}

TEST(CommandLine, RefusesAnEqualsSignWithoutValue) {
  for (const std::string option : {"--sampling", "--beam-size", "--quiet"}) {
    EXPECT_EQ(usage_error(translate_command(), {"translate", option + "="}),
              "no value follows '" + option + "='\nWrite a value after the =, or leave out the =.");
  }
  const auto empty = parsed(translate_command, {"translate", "--target-prefix", "", "--", "--a="});
  ASSERT_TRUE(empty);
  EXPECT_THAT(empty->decoding, ElementsAre("decoding.target_prefix="));
}

TEST(CommandLine, ReturnsZeroAfterPrintingHelpOrVersion) {
  const Command command = failing_report(7);
  const Outcome help = run_and_capture(command, {"report", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("Usage:\n  tfm report [OPTIONS] FOLDER...\n"));
  EXPECT_EQ(run_and_capture(command, {"--help"}).code, 0);
  const Outcome version = run_and_capture(command, {"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, testing::StartsWith("tfm " TFM_VERSION));
}

TEST(CommandLine, FindsAGroupedCommandOnlyAfterTheNameOfItsGroup) {
  const Command command = config_explain_command([](const ConfigExplainOptions&) { return 5; });
  EXPECT_EQ(run_with(command, {"config", "explain"}), 5);
  EXPECT_THROW(run_with(command, {"config"}), ConfigError);
  EXPECT_THROW(run_with(command, {"explain"}), ConfigError);
}

TEST(CommandLine, AcceptsUnderscoresForDashesInOptionNames) {
  const auto options = parsed(
      translate_command, {"translate", "--beam_size=3", "--target_prefix", "a_b", "--", "--c_d"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->decoding, ElementsAre("decoding.beam_size=3", "decoding.target_prefix=a_b"));
  EXPECT_THAT(options->texts, ElementsAre("--c_d"));
}

TEST(CommandLine, NamesTheLanguagesOfATranslationByTheirShortOptions) {
  const auto options = parsed(translate_command, {"translate", "--from", "de", "--to=fra_Latn"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->decoding,
              ElementsAre("decoding.source_language=de", "decoding.target_language=fra_Latn"));
}

TEST(CommandLine, AcceptsVerbosityOptionsBeforeAndAfterTheCommand) {
  EXPECT_EQ(run_with(failing_report(0), {"report", "runs/a", "-q"}), 0);
  EXPECT_EQ(run_with(failing_report(0), {"-v", "report", "runs/a"}), 0);
}

TEST(CommandLine, StartsEachCommandLineWithDefaultOptions) {
  std::vector<std::size_t> counts;
  const Command command = train_command([&](const TrainOptions& options) {
    counts.push_back(options.overrides.size());
    return 0;
  });
  for (int i = 0; i < 2; ++i) run_with(command, {"train", "-c", "a.yaml", "--seed", "3"});
  EXPECT_THAT(counts, ElementsAre(1, 1));
}

}  // namespace
}  // namespace tfm
