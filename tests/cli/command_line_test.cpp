#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/config_command.h"
#include "cli/report_command.h"
#include "cli/train_command.h"
#include "cli/translate_command.h"
#include "parsed.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The exit code, and what went to stdout and stderr.
struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

Outcome outcome_of(const Command& command, const Arguments& arguments) {
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

TEST(CommandLine, PassesOnTheErrorsOfTheCommand) {
  const Command command = report_command(
      [](const ReportOptions&) -> int { throw DataError("runs/a", "is no run folder"); });
  EXPECT_THROW(run_with(command, {"report", "runs/a"}), DataError);
}

TEST(CommandLine, Returns2ForWrongUsage) {
  const Command command = failing_report(0);
  for (const Arguments& wrong : {Arguments{}, Arguments{"report"}, Arguments{"report", "--"}}) {
    const Outcome outcome = outcome_of(command, wrong);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(wrong);
    EXPECT_NE(outcome.err, "") << testing::PrintToString(wrong);
    EXPECT_EQ(outcome.out, "") << testing::PrintToString(wrong);
  }
}

TEST(CommandLine, NamesTheCommandsForAWordThatIsNone) {
  try {
    run_with(config_check_command(), {"chekc"});
    FAIL() << "not refused";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.problem(), "unknown: chekc");
    EXPECT_EQ(error.hint(), "Commands are config; tfm --help shows them.");
    EXPECT_EQ(error.exit_code(), 2);
  }
}

TEST(CommandLine, RefusesAnUnknownOptionByItsName) {
  try {
    run_with(failing_report(0), {"report", "runs/a", "--colour"});
    FAIL() << "not refused";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.problem(), "unknown: --colour");
  }
}

TEST(CommandLine, Returns0AfterHelpAndVersion) {
  const Command command = failing_report(7);
  const Outcome help = outcome_of(command, {"report", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("tfm report runs/multi30k_de_en"));
  EXPECT_EQ(outcome_of(command, {"--help"}).code, 0);
  const Outcome version = outcome_of(command, {"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, "tfm " TFM_VERSION "\n");
}

TEST(CommandLine, FindsACommandInItsGroupOnly) {
  const Command command = config_explain_command([](const ConfigExplainOptions&) { return 5; });
  EXPECT_EQ(run_with(command, {"config", "explain"}), 5);
  EXPECT_EQ(outcome_of(command, {"config"}).code, 2);
  EXPECT_THROW(run_with(command, {"explain"}), ConfigError);
}

TEST(CommandLine, TakesUnderscoresForDashesInNamesOnly) {
  const auto options = parsed(
      translate_command, {"translate", "--beam_size=3", "--target_prefix", "a_b", "--", "--c_d"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->decoding, ElementsAre("decoding.beam_size=3", "decoding.target_prefix=a_b"));
  EXPECT_THAT(options->texts, ElementsAre("--c_d"));
}

TEST(CommandLine, UnderstandsVerbosityAfterTheCommand) {
  EXPECT_EQ(run_with(failing_report(0), {"report", "runs/a", "-q"}), 0);
  EXPECT_EQ(run_with(failing_report(0), {"-v", "report", "runs/a"}), 0);
}

TEST(CommandLine, MakesOptionsNewForEachParsing) {
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
