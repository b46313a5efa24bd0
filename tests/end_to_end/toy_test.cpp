// Tests training and translation with the toy corpus of the articles that tfm is based on
// (docs/models.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

class ToyModel : public TrainedSuite<ToyModel> {
 public:
  static constexpr const char* command = "train --config configs/toy.yaml training.max_epochs=40";
};

TEST_F(ToyModel, PrintsTheLossOfEachEpochAsInTheArticles) {
  EXPECT_EQ(training.out, "");
  EXPECT_THAT(training.err, HasSubstr("Epoch: 0001 loss = "));
  const auto last = training.err.rfind("Epoch: 0040 loss = ");
  ASSERT_NE(last, std::string::npos) << training.err;
  EXPECT_LT(std::stod(training.err.substr(last + 19)), 0.1);
}

TEST_F(ToyModel, TranslatesWithoutOptions) {
  const auto beer = place->tfm("translate 'ich mochte ein bier'");
  EXPECT_EQ(beer.code, 0) << beer.err;
  EXPECT_EQ(beer.out, "i want a beer .\n");
  EXPECT_EQ(place->tfm("translate 'ich mochte ein cola'").out, "i want a coke .\n");
}

TEST_F(ToyModel, Int8TranslationsDoNotDependOnTheInstructionSets) {
  const auto translations = [](const char* features) {
    return place->tfm("translate --precision int8 --format jsonl 'ich mochte ein bier'", "",
                      std::string("TFM_CPU_FEATURES=") + features);
  };
  const auto portable = translations("default");
  EXPECT_EQ(portable.code, 0) << portable.err;
  EXPECT_THAT(portable.out, HasSubstr("i want a beer ."));
  for (const char* features : {"avx2", "avx512", "vnni"}) {
    const auto other = translations(features);
    EXPECT_EQ(other.code, 0) << features << ": " << other.err;
    EXPECT_THAT(other.out, HasSubstr("i want a beer .")) << features;
  }
}

TEST_F(ToyModel, PackedModelTranslatesInInt8LikeTheModel) {
  const std::string command = "translate -m packed --precision int8 --n-best 3 --format jsonl";
  const std::string line = "ich mochte ein bier\n";
  std::filesystem::copy(place->folder.path("runs/toy"), place->folder.path("packed"),
                        std::filesystem::copy_options::recursive);
  const auto expected = place->tfm(command, line);
  const auto packed = place->tfm("model pack packed");
  EXPECT_EQ(packed.out, "packed/int8.safetensors\n") << packed.err;
  const auto translated = place->tfm(command, line);
  EXPECT_EQ(translated.out, expected.out);
  EXPECT_THAT(translated.err, Not(HasSubstr("int8.safetensors")));
}

TEST_F(ToyModel, CpuFeaturesVariableLimitsTheKernelsThatVersionNames) {
  const auto version = place->tfm("--version", "", "TFM_CPU_FEATURES=default");
  EXPECT_THAT(version.out, HasSubstr("fp32: 128 bits; int8: portable"));
}

TEST_F(ToyModel, WarnsAboutAnUnknownWordAndTranslates) {
  const auto outcome = place->tfm("translate 'ich mochte ein wein'");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("i want a "));
  EXPECT_THAT(outcome.err, HasSubstr("the vocabulary lacks: 'wein'"));
}

TEST_F(ToyModel, TranslatesLineByLineFromPipesFilesAndArguments) {
  const std::string lines = "ich mochte ein bier\n\nich mochte ein cola\r\nich mochte ein bier";
  const std::string expected = "i want a beer .\n\ni want a coke .\ni want a beer .\n";
  EXPECT_EQ(place->tfm("translate", lines).out, expected);
  place->folder.write("in.txt", lines);
  EXPECT_EQ(place->tfm("translate -i in.txt -o out.txt").out, "");
  EXPECT_EQ(place->folder.read("out.txt"), expected);
  EXPECT_EQ(
      place->tfm("translate 'ich mochte ein bier' '' 'ich mochte ein cola' 'ich mochte ein bier'")
          .out,
      expected);
  EXPECT_EQ(place->tfm("translate", "").out, "");
}

/// A program that writes a line to a pipe and waits must receive the translation before it closes
/// the pipe.
TEST_F(ToyModel, TranslatesALineBeforeThePipeIsClosed) {
  const auto folder = place->folder.path();
  ASSERT_EQ(::mkfifo((folder / "in").c_str(), 0600), 0);
  place->tfm("translate <in & cd '" + folder.string() +
             "' && exec 3>in && echo 'ich mochte ein bier' >&3 && for i in $(seq 600); do [ -s "
             "stdout ] && echo yes >answered && break; sleep 0.05; done; "
             "echo 'ich mochte ein cola' >&3; exec 3>&-; wait");
  EXPECT_EQ(place->folder.read("answered"), "yes\n");
  EXPECT_EQ(place->folder.read("stdout"), "i want a beer .\ni want a coke .\n");
}

TEST_F(ToyModel, TranslatesInEverySupportedPrecision) {
  for (const char* precision : {"auto", "fp32", "bf16", "int8"}) {
    const auto outcome = place->tfm(std::string("translate --precision ") + precision +
                                    " 'ich mochte ein bier' 'ich mochte ein cola'");
    if (precision == std::string("bf16") &&
        outcome.err.find("this processor can't multiply in bf16") != std::string::npos)
      continue;
    EXPECT_EQ(outcome.out, "i want a beer .\ni want a coke .\n") << precision << outcome.err;
  }
}

TEST_F(ToyModel, WritesMarianFormatAndJsonLines) {
  // In the name of an option, an underscore counts as a dash.
  const auto marian = place->tfm("translate --n-best 2 --beam_size 2 'ich mochte ein bier'");
  EXPECT_THAT(marian.out, HasSubstr("0 ||| i want a beer . ||| F0= -"));
  EXPECT_EQ(std::count(marian.out.begin(), marian.out.end(), '\n'), 2);
  const auto json = place->tfm("translate --format jsonl 'ich mochte ein bier'");
  EXPECT_THAT(json.out, HasSubstr(R"("translations":[{"text":"i want a beer .")"));
}

TEST_F(ToyModel, SamplesTheSameTranslationsWithAnyBatchSize) {
  const std::string command =
      "translate --sampling --temperature 3 --n-best 20 --format text --seed ";
  const std::string lines = "ich mochte ein bier\nich mochte ein bier\n";
  EXPECT_EQ(place->tfm(command + "1", lines).out,
            place->tfm(command + "1 --batch-size 1", lines).out);
  const auto many =
      place->tfm("translate --sampling --temperature 3 --n-best 20 'ich mochte ein bier'").out;
  EXPECT_EQ(std::count(many.begin(), many.end(), '\n'), 20);
}

TEST_F(ToyModel, AppliesConstraintsToSingleLines) {
  const std::string lines = "ich mochte ein bier\nich mochte ein cola\n";
  place->folder.write("prefix", "want\n\n");
  place->folder.write("phrases", "\nbeer\tcoke\n");
  const auto constrained = place->tfm(
      "translate --beam-size 10 --target-prefix-file prefix --forced-phrases-file phrases "
      "--forced-phrases a",
      lines);
  std::istringstream output(constrained.out);
  std::string first;
  std::string second;
  std::getline(output, first);
  std::getline(output, second);
  EXPECT_THAT(first, testing::StartsWith("want")) << constrained.err;
  for (const char* word : {"a", "beer", "coke"}) EXPECT_THAT(second, HasSubstr(word));
  EXPECT_EQ(place->tfm("translate --target-prefix-file prefix 'ich mochte ein bier'").code, 1)
      << "more constraints than lines";
  EXPECT_THAT(place->tfm("translate --target-prefix-file prefix", lines + lines).err,
              HasSubstr("fewer than the input"));
  EXPECT_THAT(place
                  ->tfm("translate --forbidden-phrases coke --forbidden-phrases 'i want; a b' 'ich "
                        "mochte ein cola'")
                  .out,
              testing::Not(HasSubstr("coke")));
}

TEST_F(ToyModel, TranslatesWithAnEnsemble) {
  const auto twins = place->tfm("translate -m runs/toy -m runs/toy 'ich mochte ein bier'");
  EXPECT_EQ(twins.out, "i want a beer .\n") << twins.err;
}

TEST_F(ToyModel, ExplainPrintsTokensWithProbabilities) {
  const auto shown = place->tfm("translate --explain 'ich mochte ein bier'").out;
  EXPECT_THAT(shown, testing::StartsWith("i want a beer .\n"));
  EXPECT_THAT(shown, HasSubstr("%  beer"));
  const auto json = place->tfm("translate --explain --format jsonl 'ich mochte ein bier'").out;
  EXPECT_THAT(json, HasSubstr(R"("explanation":[{"token":"i","log_prob":)"));
  EXPECT_EQ(place->tfm("translate --explain --format marian 'ich mochte ein bier'").code, 2);
}

TEST_F(ToyModel, EvaluatePrintsBleuAndChrf) {
  const auto outcome =
      place->tfm("evaluate --source data/toy/train.de --reference data/toy/train.en");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tfm-"));
  EXPECT_THAT(outcome.out, HasSubstr(" = 100.00 "));
  EXPECT_THAT(outcome.out, HasSubstr("chrF2|"));
  EXPECT_EQ(place->tfm("evaluate --hypothesis data/toy/train.en --reference data/toy/train.en").out,
            outcome.out);
}

TEST_F(ToyModel, NumbersTheRunFolderIfTheNameIsTaken) {
  Workplace other;
  EXPECT_EQ(other
                .tfm("train -c configs/toy.yaml training.max_epochs=1 model.encoder_layers=1 "
                     "model.decoder_layers=1 -q")
                .code,
            0);
  EXPECT_EQ(other
                .tfm("train -c configs/toy.yaml training.max_epochs=1 model.encoder_layers=1 "
                     "model.decoder_layers=1 -q")
                .code,
            0);
  EXPECT_TRUE(std::filesystem::exists(other.folder.path("runs") / "toy-2" / "model.safetensors"));
}

}  // namespace
}  // namespace tfm
