// Tests the log-probabilities (tfm score) and the comparison (tfm evaluate) of existing
// translations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::vector<std::string> split_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Score : public TrainedSuite<Score> {
 public:
  static constexpr const char* command =
      "train --config configs/toy.yaml training.max_epochs=20 model.encoder_layers=2 "
      "model.decoder_layers=2 training.threads=1";
};

TEST_F(Score, PrintsOneLinePerPairInOrder) {
  place->folder.write("a.de",
                      "ich mochte ein bier\nich mochte ein bier\n\nich\n\xFF"
                      "ein\n");
  place->folder.write("a.en", "i want a beer .\nbeer beer beer\ni want\n\ni\n");
  const auto outcome = place->tfm("score --source a.de --target a.en");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = split_lines(outcome.out);
  ASSERT_EQ(lines.size(), 5U) << outcome.out;
  for (const auto& line : lines) EXPECT_THAT(line, MatchesRegex("-[0-9]+\\.[0-9]+"));
  EXPECT_GT(std::stod(lines[0]), std::stod(lines[1]));
  EXPECT_THAT(outcome.err, HasSubstr("5 pairs, 16 target tokens, cross-entropy "));
  EXPECT_THAT(outcome.err, HasSubstr("1 of 5 pairs are not valid UTF-8"));
  double sum = 0;
  for (const auto& line : lines) sum += std::stod(line);
  const double perplexity = std::stod(outcome.err.substr(outcome.err.rfind("perplexity ") + 11));
  EXPECT_NEAR(std::log(perplexity), -sum / 16, 1e-5);
  EXPECT_EQ(place->tfm("score --source a.de --target a.en --batch-size 1 -o scores.txt -q").out,
            "");
  EXPECT_EQ(split_lines(place->folder.read("scores.txt")).size(), 5U);
}

TEST_F(Score, JsonLinesHaveTokensAndTheirLogProbabilities) {
  ASSERT_EQ(std::system(("gzip -f '" +
                         place->folder.write("b.de", "ich mochte ein bier\nich\n").string() + "'")
                            .c_str()),
            0);
  place->folder.write("b.en", "i want a beer .\ni i i i i i i i i\n");
  const std::string command = "score --source b.de.gz --target b.en --max-length 8 ";
  const auto text = split_lines(place->tfm(command).out);
  const auto json = split_lines(place->tfm(command + "--format jsonl --normalize 1").out);
  ASSERT_EQ(json.size(), 2U);
  const auto first = nlohmann::json::parse(json[0]);
  EXPECT_EQ(first["tokens"].dump(), R"(["i","want","a","beer",".","E"])");
  double sum = 0;
  for (const double log_prob : first["log_probs"]) sum += log_prob;
  EXPECT_NEAR(sum, std::stod(text[0]), 1e-5);
  EXPECT_NEAR(first["log_prob"].get<double>(), sum, 1e-9);
  EXPECT_NEAR(first["score"].get<double>(), sum / 6, 1e-9);
  EXPECT_EQ(text.size(), 2U);
}

TEST_F(Score, ReadsPairsFromOneFileOrAPipe) {
  place->folder.write("t.de", "ich mochte ein bier\nich\n");
  place->folder.write("t.en", "i want a beer .\ni want\n");
  const std::string pairs = "ich mochte ein bier\ti want a beer .\nich\ti want\n";
  place->folder.write("t.tsv", pairs);
  const auto expected = place->tfm("score -q --source t.de --target t.en").out;
  EXPECT_EQ(place->tfm("score -q --tsv t.tsv").out, expected);
  EXPECT_EQ(place->tfm("score -q --tsv -", pairs).out, expected);
  const auto wrong = place->tfm("score --tsv -", "ich\n");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("the line has no tab"));
  EXPECT_EQ(place->tfm("score").code, 2);
}

TEST_F(Score, PrintsNanForAPairThatIsTooLong) {
  std::string longer;
  for (int i = 0; i < 300; ++i) longer += "i ";
  place->folder.write("c.de", "ich\nich\n");
  place->folder.write("c.en", longer + "\ni\n");
  const auto outcome = place->tfm("score --source c.de --target c.en");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, MatchesRegex("nan\n-[0-9.]+\n"));
  EXPECT_THAT(outcome.err, HasSubstr("1 of 2 pairs have a side of more than 256 tokens"));
  EXPECT_THAT(outcome.err, HasSubstr("1 pairs, 2 target tokens"));
  EXPECT_THAT(place->tfm("score --source c.de --target c.en --format jsonl").out,
              HasSubstr(R"({"line":1,"log_prob":null,"score":null})"));
  EXPECT_THAT(place->tfm("score --source c.de --target c.en --max-length 300").out,
              MatchesRegex("-[0-9.]+\n-[0-9.]+\n"));
}

TEST_F(Score, ScoresAnEnsembleOfTwoEqualModelsLikeOneModel) {
  const std::string files = "score --source data/toy/train.de --target data/toy/train.en";
  const auto one = split_lines(place->tfm(files).out);
  const auto twins = split_lines(place->tfm(files + " -m runs/toy -m runs/toy").out);
  ASSERT_EQ(twins.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(std::stod(twins[i]), std::stod(one[i]), 1e-5);
}

TEST_F(Score, RejectsUnequalLineCountsBeforeScoring) {
  place->folder.write("d.de", "ich\nich\nich\n");
  place->folder.write("d.en", "i\ni\n");
  const auto outcome = place->tfm("score --source d.de --target d.en -o d.txt");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("d.de has 3 lines, but d.en has 2"));
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(std::filesystem::exists(place->folder.path("d.txt")));
  EXPECT_EQ(place->tfm("score --source d.de").code, 2);
  EXPECT_EQ(place->tfm("score --source none.de --target d.en").code, 1);
}

class Compare : public testing::Test {
 protected:
  Compare() {
    std::string reference;
    std::string worse;
    for (int i = 0; i < 60; ++i) {
      const std::string line = "the cat number " + std::to_string(i) + " sits on the mat";
      reference += line + "\n";
      worse += (i % 2 == 0 ? "a dog stands there now" : line) + "\n";
    }
    place.folder.write("ref", reference);
    place.folder.write("worse", worse);
  }

  Workplace place;
};

TEST_F(Compare, EvaluateComparesHypothesesWithTheFirst) {
  const auto outcome = place.tfm("evaluate --reference ref --hypothesis ref worse ref");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = split_lines(outcome.out);
  ASSERT_EQ(lines.size(), 7U) << outcome.out;
  EXPECT_THAT(lines[0], HasSubstr("BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|"));
  EXPECT_THAT(lines[1], HasSubstr("chrF2|nrefs:1|bs:1000|seed:12345|case:mixed|"));
  EXPECT_THAT(
      lines[3],
      MatchesRegex("ref +100.00 +100.00 ± +0.00 +baseline +100.00 +100.00 ± +0.00 +baseline"));
  EXPECT_THAT(lines[4],
              MatchesRegex("worse +[0-9.]+ +[0-9.]+ ± +[0-9.]+ +0.0010 \\* .*0.0010 \\*"));
  EXPECT_THAT(lines[5], MatchesRegex("ref .* 1.0000 .* 1.0000"));
  EXPECT_EQ(place.tfm("evaluate --reference ref --hypothesis ref worse ref --threads 1").out,
            outcome.out);
  EXPECT_NE(place.tfm("evaluate --reference ref --hypothesis ref worse ref --bootstrap-seed 1").out,
            outcome.out);
  EXPECT_THAT(
      place.tfm("evaluate --reference ref --hypothesis ref worse --bootstrap-samples 9").out,
      HasSubstr("bs:9|"));
}

TEST_F(Compare, EvaluatePrintsTheConfidenceIntervalOfASingleHypothesisOnRequest) {
  const auto plain = place.tfm("evaluate --reference ref --hypothesis worse").out;
  EXPECT_THAT(plain, testing::Not(HasSubstr("μ")));
  const auto confident =
      split_lines(place.tfm("evaluate --reference ref --hypothesis worse --confidence").out);
  ASSERT_EQ(confident.size(), 2U);
  EXPECT_THAT(confident[0], MatchesRegex("BLEU\\|nrefs:1\\|bs:1000\\|seed:12345\\|.* = [0-9.]+ "
                                         "\\(μ = [0-9.]+ ± [0-9.]+\\) [0-9./]+ \\(BP = .*"));
  EXPECT_THAT(confident[1],
              MatchesRegex("chrF2\\|.*\\|bs:1000\\|.* = [0-9.]+ \\(μ = [0-9.]+ ± [0-9.]+\\)"));
}

TEST_F(Compare, EvaluateSuggestsATokenizerForTextWithoutSpaces) {
  place.folder.write("ref.zh", "我喜欢吃苹果。\n他在北京。\n");
  place.folder.write("sys.zh", "我很喜欢吃苹果。\n他去了北京。\n");
  const auto whole = place.tfm("evaluate --reference ref.zh --hypothesis sys.zh");
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("tok:13a|smooth:exp|version:tfm-0.1.0 = 0.00 "));
  EXPECT_THAT(whole.err, HasSubstr("ref.zh"));
  EXPECT_THAT(whole.err, HasSubstr("--tokenize zh"));
  const auto split = place.tfm("evaluate --reference ref.zh --hypothesis sys.zh --tokenize zh");
  EXPECT_EQ(split.code, 0) << split.err;
  EXPECT_THAT(split.out, HasSubstr("tok:zh|smooth:exp|version:tfm-0.1.0 = 54.14 "));
  EXPECT_EQ(split.err, "");
}

TEST_F(Compare, EvaluateUsesSeveralReferencesAndVariantsOfTheMetrics) {
  place.folder.write("a", "The cat sat on the mat.\n");
  place.folder.write("b", "A cat was sitting on the mat.\n");
  place.folder.write("sys", "the cat was sitting on the mat.\n");
  const std::string both = "evaluate --reference a --reference b --lowercase --chrf-word-order 2 ";
  const auto outcome = place.tfm(both + "--hypothesis sys");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("BLEU|nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:tfm-"));
  EXPECT_THAT(outcome.out, HasSubstr(" = 90.36 "));
  EXPECT_THAT(outcome.out, HasSubstr("chrF2++|nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no|"));
  EXPECT_THAT(outcome.out, HasSubstr(" = 91.62"));
  const auto lines = split_lines(place.tfm(both + "--hypothesis sys a").out);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_THAT(lines[2], MatchesRegex("system +BLEU .* chrF2\\+\\+ .*"));
  EXPECT_EQ(lines[2].find("chrF2++") + 7, lines[3].find("91.62") + 5);
  EXPECT_EQ(place.tfm("evaluate --reference a ref --hypothesis sys").code, 1);
  const auto aligned = place.tfm("evaluate --reference a b --source sys --alignment sys");
  EXPECT_EQ(aligned.code, 2);
  EXPECT_THAT(aligned.err, HasSubstr("--alignment: needs a single reference"));
}

TEST_F(Compare, EvaluateComputesTheMetricsThatAreNamed) {
  place.folder.write("a", "The cat sat on the mat.\n");
  place.folder.write("sys", "on the mat sat the Dog .\n");
  const auto text = place.tfm("evaluate --reference a --hypothesis sys --metrics ter chrf");
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, MatchesRegex("TER\\|nrefs:1\\|case:lc\\|tok:tercom\\|norm:no\\|punct:yes\\|"
                                     "asian:no\\|version:tfm-[0-9.]+ = 66.67\nchrF2\\|.*\n"));
  const auto json =
      nlohmann::json::parse(place
                                .tfm("evaluate --reference a sys --hypothesis sys a --metrics ter "
                                     "--ter-normalized --ter-no-punct --format json")
                                .out);
  EXPECT_THAT(json["signatures"]["TER"].get<std::string>(),
              MatchesRegex("nrefs:2\\|bs:1000\\|seed:12345\\|.*norm:yes\\|punct:no\\|.*"));
  EXPECT_FALSE(json["signatures"].contains("BLEU"));
  EXPECT_EQ(json["systems"][1]["TER"]["edits"], 0);
  EXPECT_EQ(json["systems"][1]["TER"]["reference_words"], 6);
  const auto table =
      split_lines(place.tfm("evaluate --reference ref --hypothesis ref worse --metrics ter").out);
  ASSERT_EQ(table.size(), 6U);
  EXPECT_THAT(table[3], MatchesRegex("worse +[0-9.]+ +[0-9.]+ ± +[0-9.]+ +0.0010 \\*"));
}

TEST_F(Compare, EvaluateRejectsMetricsGivenTwiceAndOptionsOfOtherMetrics) {
  const auto error = [&](const std::string& options) {
    const auto outcome = place.tfm("evaluate --reference ref --hypothesis ref " + options);
    EXPECT_EQ(outcome.code, 2) << options;
    return outcome.err;
  };
  EXPECT_THAT(error("--metrics ter bleu ter"), HasSubstr("--metrics: ter is given several times"));
  EXPECT_THAT(error("--ter-no-punct"), HasSubstr("--metrics: does not name ter, but an option"));
  EXPECT_THAT(error("--metrics ter --lowercase"),
              HasSubstr("leave out --tokenize and --lowercase"));
  EXPECT_THAT(error("--metrics ter --chrf-word-order 1"), HasSubstr("Add chrf to --metrics"));
}

TEST_F(Compare, EvaluateWarnsOfTerForTextWithoutSpaces) {
  place.folder.write("ref.zh", "我喜欢吃苹果。\n他在北京。\n");
  place.folder.write("sys.zh", "我很喜欢吃苹果。\n他去了北京。\n");
  const std::string command = "evaluate --reference ref.zh --hypothesis sys.zh --metrics ter ";
  const auto whole = place.tfm(command);
  EXPECT_THAT(whole.out, HasSubstr(" = 100.00"));
  EXPECT_THAT(whole.err, HasSubstr("TER means little; use --ter-normalized --ter-asian-support"));
  EXPECT_THAT(whole.err, testing::Not(HasSubstr("--tokenize")));
  const auto split = place.tfm(command + "--ter-normalized --ter-asian-support");
  EXPECT_THAT(split.out, HasSubstr("norm:yes|punct:yes|asian:yes|version:tfm-0.1.0 = 25.00"));
  EXPECT_EQ(split.err, "");
  place.folder.write("ref.ja", "東京は日本の首都です。\n");
  EXPECT_THAT(place
                  .tfm("evaluate --reference ref.ja --hypothesis ref.ja --metrics ter "
                       "--ter-normalized --ter-asian-support")
                  .err,
              HasSubstr("so TER means little\n"));
}

TEST_F(Compare, EvaluateRejectsAnEmptyReference) {
  place.folder.write("empty", "");
  const auto outcome = place.tfm("evaluate --reference empty --hypothesis empty");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("empty: is empty"));
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Compare, EvaluateRejectsUnequalLineCountsAndAnOutputFileForSeveralHypotheses) {
  place.folder.write("short", "a\n");
  const auto outcome = place.tfm("evaluate --reference ref --hypothesis ref short");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("short: has 1 lines, but ref has 60"));
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(place.tfm("evaluate --reference ref --hypothesis ref worse -o kept").code, 2);
}

}  // namespace
}  // namespace tfm
