// Tests how commands parse their command lines into options. evaluate_options_test.cpp tests
// `tfm evaluate`, train_command_test.cpp `tfm train`, config_command_test.cpp `tfm config`.
#include "cli/all_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/average_command.h"
#include "cli/evaluate_command.h"
#include "cli/export_command.h"
#include "cli/import_command.h"
#include "cli/launch_command.h"
#include "cli/model_info_command.h"
#include "cli/report_command.h"
#include "cli/score_command.h"
#include "cli/shortlist_command.h"
#include "cli/train_command.h"
#include "cli/translate_command.h"
#include "parsed.h"
#include "temporary_folder.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ReportCommand, ParsesOneOrSeveralRunFolders) {
  auto options = parsed(report_command, {"report", "runs/a"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->runs, ElementsAre("runs/a"));
  EXPECT_EQ(options->output, "");
  options = parsed(report_command, {"report", "runs/a", "runs/b", "-o", "both.html"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->runs, ElementsAre("runs/a", "runs/b"));
  EXPECT_EQ(options->output, "both.html");
}

TEST(LaunchCommand, PassesAllArgumentsAfterItsOptionsToTheRanks) {
  const auto options = parsed(
      launch_command, {"launch", "--nproc-per-node", "2", "train", "--config", "a.yaml", "-q"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->ranks, 2);
  EXPECT_THAT(options->command, ElementsAre("train", "--config", "a.yaml", "-q"));
}

TEST(LaunchCommand, RequiresAtLeastOneProcess) {
  EXPECT_FALSE(parsed(launch_command, {"launch", "--nproc", "0", "train"}));
  EXPECT_FALSE(parsed(launch_command, {"launch", "train"}));
}

TEST(TranslateCommand, UsesDefaultOptionsWithoutArguments) {
  const auto options = parsed(translate_command, {"translate"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->models, IsEmpty());
  EXPECT_THAT(options->texts, IsEmpty());
  EXPECT_THAT(options->decoding, IsEmpty());
  EXPECT_EQ(options->format, OutputFormat::automatic);
  EXPECT_FALSE(options->resume || options->alignment || options->explain);
  EXPECT_EQ(options->runtime.device, "auto");
}

TEST(TranslateCommand, ParsesOptionsForModelsFilesFormatAndDevice) {
  const auto options = parsed(translate_command, {"translate",
                                                  "-m",
                                                  "runs/a",
                                                  "--model",
                                                  "runs/b",
                                                  "-i",
                                                  "in.de",
                                                  "-o",
                                                  "out.en",
                                                  "--resume",
                                                  "--format",
                                                  "JSONL",
                                                  "--alignment",
                                                  "--explain",
                                                  "--target-prefix-file",
                                                  "p",
                                                  "--forced-phrases-file",
                                                  "f",
                                                  "--attention",
                                                  "a.html",
                                                  "--device",
                                                  "cpu",
                                                  "--threads",
                                                  "1"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->models, ElementsAre("runs/a", "runs/b"));
  EXPECT_EQ(options->input, "in.de");
  EXPECT_EQ(options->output, "out.en");
  EXPECT_EQ(options->format, OutputFormat::jsonl);
  EXPECT_TRUE(options->resume && options->alignment && options->explain);
  EXPECT_EQ(options->prefixes, "p");
  EXPECT_EQ(options->phrases, "f");
  EXPECT_EQ(options->attention, "a.html");
  EXPECT_EQ(options->runtime.device, "cpu");
  EXPECT_EQ(options->runtime.threads, 1);
}

TEST(TranslateCommand, TreatsTheWordAfterAModelFolderAsText) {
  const auto options = parsed(translate_command, {"translate", "-m", "runs/a", "ein haus"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->models, ElementsAre("runs/a"));
  EXPECT_THAT(options->texts, ElementsAre("ein haus"));
}

TEST(TranslateCommand, AcceptsOptionAliasesOfConfigFields) {
  const auto options =
      parsed(translate_command, {"translate", "-b", "5", "--normalize", "0.6", "--sampling"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->decoding,
              testing::UnorderedElementsAre("decoding.beam_size=5", "decoding.length_penalty=0.6",
                                            "decoding.sampling=true"));
}

TEST(TranslateCommand, JoinsTheValuesOfARepeatedListOption) {
  const auto options =
      parsed(translate_command, {"translate", "--forced-phrases", "a b", "--forced-phrases", "c"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->decoding, ElementsAre("decoding.forced_phrases=a b;c"));
}

TEST(TranslateCommand, HasAnOptionForEveryDecodingField) {
  for (const Field& field : fields()) {
    if (field.section != "decoding") continue;
    Arguments arguments{"translate", "--" + field.name};
    const std::string value = field.choices.empty() ? "1" : field.choices.front();
    if (field.type != FieldType::boolean) arguments.push_back(value);
    const auto options = parsed(translate_command, arguments);
    ASSERT_TRUE(options) << field.key();
    const bool flag = field.type == FieldType::boolean;
    EXPECT_THAT(options->decoding, ElementsAre(field.key() + (flag ? "=true" : "=" + value)));
  }
}

TEST(TranslateCommand, AcceptsContinueAsTheFormerNameOfResume) {
  const auto options = parsed(translate_command, {"translate", "--continue"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->resume);
}

TEST(TranslateCommand, RejectsAnUnknownFormat) {
  EXPECT_FALSE(parsed(translate_command, {"translate", "--format", "xml"}));
}

TEST(ScoreCommand, UsesFp32UnlessAPrecisionIsGiven) {
  const auto plain = parsed(score_command, {"score", "--source", "a", "--target", "b"});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->source, "a");
  EXPECT_EQ(plain->target, "b");
  EXPECT_EQ(plain->format, ScoreFormat::text);
  EXPECT_THAT(plain->decoding, ElementsAre("decoding.precision=fp32"));
  const auto given = parsed(score_command, {"score", "--source", "a", "--target", "b", "--format",
                                            "jsonl", "--normalize", "1", "--precision", "int8"});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->format, ScoreFormat::jsonl);
  EXPECT_EQ(given->normalize, 1);
  // apply_options() uses the last of two values for a field.
  EXPECT_THAT(given->decoding, ElementsAre("decoding.precision=fp32", "decoding.precision=int8"));
}

TEST(ScoreCommand, RejectsSearchOptionsWrongValuesAndAMissingTarget) {
  EXPECT_FALSE(
      parsed(score_command, {"score", "--source", "a", "--target", "b", "--beam-size", "2"}));
  EXPECT_FALSE(
      parsed(score_command, {"score", "--source", "a", "--target", "b", "--normalize", "11"}));
  EXPECT_FALSE(parsed(score_command, {"score", "--source", "a"}));
}

TEST(InputOptions, TreatADashAsStandardInput) {
  EXPECT_EQ(parsed(translate_command, {"translate", "-i", "-"})->input, "/dev/stdin");
  EXPECT_EQ(parsed(score_command, {"score", "--source", "a", "--target", "-"})->target,
            "/dev/stdin");
  const auto options = parsed(
      evaluate_command, {"evaluate", "--hypothesis", "a", "-", "--reference", "b", "-o", "-"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->hypotheses, ElementsAre("a", "/dev/stdin"));
  EXPECT_EQ(options->output, "-");
}

TEST(AverageCommand, RejectsTheOptionsLastAndBestTogether) {
  const auto options =
      parsed(average_command, {"average", "runs/a", "--last", "5", "-o", "runs/average"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->folders, ElementsAre("runs/a"));
  EXPECT_EQ(options->last, 5);
  EXPECT_EQ(options->best, 0);
  EXPECT_EQ(options->output, "runs/average");
  EXPECT_FALSE(parsed(average_command, {"average", "a", "--last", "1", "--best", "1", "-o", "b"}));
}

TEST(ShortlistCommand, RejectsACorpusWithOnlyOneSide) {
  const auto options =
      parsed(shortlist_command, {"shortlist", "-m", "a", "--source", "s", "--target", "t",
                                 "--per-token", "7", "--frequent", "0", "-o", "f"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->model, "a");
  EXPECT_EQ(options->source, "s");
  EXPECT_EQ(options->target, "t");
  EXPECT_EQ(options->size.per_token, 7);
  EXPECT_EQ(options->size.frequent, 0);
  EXPECT_EQ(options->output, "f");
  EXPECT_FALSE(parsed(shortlist_command, {"shortlist", "--source", "s"}));
  EXPECT_FALSE(parsed(shortlist_command, {"shortlist", "--target", "t"}));
}

TEST(ExportCommand, RequiresOnlyAnOutputFolder) {
  const auto options =
      parsed(export_command, {"export", "--format", "ctranslate2", "-m", "a", "-o", "b"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->model, "a");
  EXPECT_EQ(options->output, "b");
  const auto plain = parsed(export_command, {"export", "-o", "b"});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->format, ExportFormat::ctranslate2);
  EXPECT_FALSE(parsed(export_command, {"export", "--format", "ctranslate2"}));
}

TEST(ExportCommand, ParsesTheFormat) {
  for (const auto& [name, format] :
       {std::pair{"argos", ExportFormat::argos}, {"huggingface", ExportFormat::huggingface}}) {
    const auto options = parsed(export_command, {"export", "--format", name, "-o", "b"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->format, format);
  }
}

TEST(ImportCommand, ParsesTheFormatAndKeepsTheOrderOfVocabularies) {
  const auto options =
      parsed(import_command, {"import", "--format", "marian", "model.npz", "--vocab", "s.spm",
                              "--vocab", "t.spm", "--sentencepiece", "p", "-o", "b"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->format, ImportFormat::marian);
  EXPECT_EQ(options->model, "model.npz");
  EXPECT_THAT(options->vocabularies, ElementsAre("s.spm", "t.spm"));
  EXPECT_THAT(options->sentencepiece, ElementsAre("p"));
  const auto folder = parsed(import_command, {"import", "--format", "huggingface", "a", "-o", "b"});
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->format, ImportFormat::huggingface);
  EXPECT_EQ(parsed(import_command, {"import", "a", "-o", "b"})->format, ImportFormat::automatic);
}

TEST(DetectFormat, DistinguishesHuggingFaceFoldersFromMarianFoldersAndFiles) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("opus"));
  const auto refusal = [&](const char* name) {
    return message_of<ModelError>([&] { detect_format(folder.path(name)); });
  };
  EXPECT_THAT(refusal("opus"), HasSubstr("is neither"));
  folder.write("opus/config.json", "{}");
  EXPECT_EQ(detect_format(folder.path("opus")), ImportFormat::huggingface);
  folder.write("model.npz", "");
  EXPECT_EQ(detect_format(folder.path("model.npz")), ImportFormat::marian);
  EXPECT_EQ(detect_format(folder.write("model.npz.decoder.yml", "")), ImportFormat::marian);
  std::filesystem::create_directories(folder.path("marian"));
  EXPECT_THAT(refusal("marian"), HasSubstr("is neither"));
  folder.write("marian/decoder.yml", "");
  EXPECT_EQ(detect_format(folder.path("marian")), ImportFormat::marian);
  folder.write("pytorch_model.bin", "");
  EXPECT_THAT(refusal("pytorch_model.bin"), HasSubstr("is neither"));
  EXPECT_THAT(refusal("nothing"), HasSubstr("does not exist"));
}

TEST(ModelInfoCommand, AcceptsAnOptionalFolder) {
  const auto named = parsed(model_info_command, {"model", "info", "runs/a"});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->folder, "runs/a");
  const auto unnamed = parsed(model_info_command, {"model", "info"});
  ASSERT_TRUE(unnamed);
  EXPECT_EQ(unnamed->folder, "");
  EXPECT_EQ(unnamed->format, ReportFormat::text);
  const auto json = parsed(model_info_command, {"model", "info", "--format", "json"});
  EXPECT_EQ(json->format, ReportFormat::json);
}

}  // namespace
}  // namespace tfm
