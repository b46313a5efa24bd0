// Tests the word alignments and attention weights that tfm translate prints or writes, and the
// alignment error rate that tfm evaluate prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class Attention : public TrainedSuite<Attention> {
 public:
  static constexpr const char* command =
      "train --config configs/toy.yaml training.max_epochs=20 model.encoder_layers=2 "
      "model.decoder_layers=2 training.threads=1";
};

TEST_F(Attention, PrintsAlignmentsInEveryFormat) {
  const std::string links = "[0-3]-[0-4]( [0-3]-[0-4])( [0-3]-[0-4])( [0-3]-[0-4])( [0-3]-[0-4])";
  EXPECT_THAT(place->tfm("translate --alignment 'ich mochte ein bier'").out,
              MatchesRegex("i want a beer \\. \\|\\|\\| " + links + "\n"));
  EXPECT_THAT(
      place->tfm("translate --alignment --format marian 'ich mochte ein bier'").out,
      MatchesRegex("0 \\|\\|\\| i want a beer \\. \\|\\|\\| " + links + " \\|\\|\\| F0= .*\n"));
  const auto line = nlohmann::json::parse(
      place->tfm("translate --alignment --format jsonl 'ich mochte ein bier'").out);
  EXPECT_THAT(line["translations"][0]["alignment"].dump(),
              MatchesRegex("\\[(\\[[0-3],[0-4]\\],?)+\\]"));
  EXPECT_EQ(place->tfm("translate --alignment ''").out, " ||| \n") << "an empty line has no links";
}

TEST_F(Attention, RejectsAnAlignmentHeadThatDoesNotExist) {
  EXPECT_EQ(place->tfm("translate --alignment --alignment-head 1:7 'ich mochte ein bier'").code, 0);
  const auto outcome =
      place->tfm("translate --alignment --alignment-head 1:8 'ich mochte ein bier'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no head 8"));
}

TEST_F(Attention, WritesAllMapsAsJsonWithRowsThatSumToOne) {
  ASSERT_EQ(place->tfm("translate --attention maps.json 'ich mochte ein bier' 'ich mochte'").code,
            0);
  const auto maps = nlohmann::json::parse(place->folder.read("maps.json"));
  ASSERT_EQ(maps["sentences"].size(), 2u);
  const auto& sentence = maps["sentences"][0];
  EXPECT_EQ(sentence["source"], (std::vector<std::string>{"ich", "mochte", "ein", "bier"}));
  EXPECT_EQ(sentence["target_input"],
            (std::vector<std::string>{"S", "i", "want", "a", "beer", "."}));
  EXPECT_EQ(sentence["target_output"],
            (std::vector<std::string>{"i", "want", "a", "beer", ".", "E"}));
  for (const char* kind : {"encoder", "decoder", "cross"}) {
    ASSERT_EQ(sentence[kind].size(), 2u) << "layers";
    ASSERT_EQ(sentence[kind][0].size(), 8u) << "heads";
    for (const auto& row : sentence[kind][1][3]) {
      double sum = 0;
      for (const auto& weight : row) sum += weight.get<double>();
      EXPECT_NEAR(sum, 1, 1e-3) << kind;
    }
  }
  EXPECT_EQ(sentence["decoder"][0][0][0][1], 0) << "the decoder attends to a later token";
}

TEST_F(Attention, WritesAnHtmlPageAndAnSvgFigure) {
  ASSERT_EQ(place->tfm("translate --attention page.html 'ich mochte ein bier'").out,
            "i want a beer .\n");
  EXPECT_THAT(place->folder.read("page.html"), HasSubstr("mochte"));
  ASSERT_EQ(place->tfm("translate --attention figure.svg 'ich mochte ein bier'").code, 0);
  EXPECT_THAT(place->folder.read("figure.svg"), HasSubstr("</svg>"));
}

TEST_F(Attention, RejectsAnUnknownFileFormat) {
  const auto outcome = place->tfm("translate --attention map.png 'ich mochte ein bier'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr(".html, .svg or .json"));
}

TEST_F(Attention, EvaluatePrintsTheErrorRateAgainstGoldAlignments) {
  place->folder.write("source", "ich mochte ein bier\n");
  place->folder.write("reference", "i want a beer .\n");
  place->folder.write("gold", "0-0 1-1 2-2 3-3 3-4\n");
  const auto outcome =
      place->tfm("evaluate --source source --reference reference --alignment gold");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, MatchesRegex("BLEU(.|\n)*AER = [01]\\.[0-9]+\n"));
  place->folder.write("gold", "0-0\n0-0\n");
  EXPECT_EQ(place->tfm("evaluate --source source --reference reference --alignment gold").code, 1);
}

}  // namespace
}  // namespace tfm
