// Tests the translation of markup and of unknown words with a trained model. The languages are
// artificial: each word has one translation, and the order of the words does not change.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Trains on sentences such as "n3 n1 n7" with the translation "e3 e1 e7". A sixth of the words are
/// names that occur once, too rare for the vocabulary.
class MarkupEndToEnd : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place = new Workplace;
    std::mt19937 random(1);
    std::string source;
    std::string target;
    for (int line = 0; line < 800; ++line) {
      const auto length = 2 + random() % 5;
      for (unsigned i = 0; i < length; ++i) {
        const bool is_name = random() % 6 == 0;
        const auto word = std::to_string(random() % 12);
        const auto name = "X" + std::to_string(line) + "_" + std::to_string(i);
        source += (i > 0 ? " " : "") + (is_name ? name : "n" + word);
        target += (i > 0 ? " " : "") + (is_name ? name : "e" + word);
      }
      source += "\n";
      target += "\n";
    }
    place->folder.write("train.n", source);
    place->folder.write("train.e", target);
    place->folder.write("words.yaml", R"(
model: {encoder_layers: 1, decoder_layers: 1, hidden_size: 64, heads: 2, transformer_ff: 128,
        dropout: 0}
tokenizer: {kind: word, joint: false, min_count: 2}
data: {train_source: train.n, train_target: train.e}
training: {run_folder: runs/words, threads: 1, batch_size: 512, learning_rate: 0.003,
           warmup_steps: 100, max_steps: 1200, valid_steps: 0}
decoding: {beam_size: 1}
)");
    const auto training = place->tfm("train --config words.yaml");
    ASSERT_EQ(training.code, 0) << training.err;
  }
  static void TearDownTestSuite() { delete place; }

  inline static Workplace* place = nullptr;
};

TEST_F(MarkupEndToEnd, KeepsMarkupAroundTheTranslationsOfTheMarkedWords) {
  EXPECT_EQ(place->tfm("translate -q --keep-markup '<p>n3 n1 <b>n7</b> n5</p>'").out,
            "<p>e3 e1 <b>e7</b> e5</p>\n");
  EXPECT_EQ(place->tfm("translate -q --keep-markup 'n3 {name} n1 n7'").out, "e3 {name} e1 e7\n");
  EXPECT_EQ(place->tfm("translate -q --keep-markup '<br/>' '' 'n3 n1 n7'").out,
            "<br/>\n\ne3 e1 e7\n");
}

TEST_F(MarkupEndToEnd, KeepsMarkupInEveryFormat) {
  const std::string line =
      "translate -q --keep-markup --beam-size 4 --n-best 2 'n3 <i>n1</i> n7' --format ";
  const auto marian = place->tfm(line + "marian").out;
  EXPECT_THAT(marian, HasSubstr("0 ||| e3 <i>e1</i> e7 ||| F0="));
  EXPECT_EQ(std::count(marian.begin(), marian.end(), '\n'), 2);
  const auto json = nlohmann::json::parse(place->tfm(line + "jsonl --alignment").out);
  EXPECT_EQ(json["source"], "n3 <i>n1</i> n7");
  for (const auto& translation : json["translations"])
    EXPECT_THAT(translation["text"].get<std::string>(), testing::ContainsRegex("<i>.*</i>"));
  EXPECT_EQ(json["translations"][0]["alignment"], nlohmann::json::parse("[[0,0],[1,1],[2,2]]"));
  const auto prefixed =
      place->tfm("translate -q --keep-markup --target-prefix e9 'n3 <i>n1</i> n7'").out;
  EXPECT_TRUE(prefixed.starts_with("e9 ")) << prefixed;
  EXPECT_THAT(prefixed, testing::ContainsRegex("<i>.*</i>"));
}

TEST_F(MarkupEndToEnd, TranslatesDocuments) {
  place->folder.write("in.md", "# n3 n1\n\n- n7 **n5** `n2`\n\n```\nn3\n```\n");
  const auto run = place->tfm("translate --document in.md -o out.md");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(place->folder.read("out.md"), "# e3 e1\n\n- e7 **e5** `n2`\n\n```\nn3\n```\n");
  place->folder.write("in.json", "{\"n1\": \"n3 {name} n7\", \"x\": [1, \"n5\"]}");
  EXPECT_EQ(place->tfm("translate -q --document in.json -o -").out,
            "{\"n1\": \"e3 {name} e7\", \"x\": [1, \"e5\"]}");
}

TEST_F(MarkupEndToEnd, WritesNothingIfADocumentIsNotValid) {
  place->folder.write("bad.json", "{\n\"a\": \"n1\",\n}");
  const auto bad = place->tfm("translate --document bad.json -o bad_out.json");
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.err, HasSubstr("bad.json:3: is not valid JSON"));
  EXPECT_FALSE(std::filesystem::exists(place->folder.path("bad_out.json")));
  EXPECT_EQ(place->tfm("translate --document bad.json -o out.json 'n1'").code, 2);
  EXPECT_EQ(place->tfm("translate --document bad.json").code, 2);
}

TEST_F(MarkupEndToEnd, ReplacesUnknownTokensByTheirAlignedSourceWords) {
  EXPECT_EQ(place->tfm("translate -q --replace-unknown 'n3 Zork n7'").out, "e3 Zork e7\n");
  EXPECT_EQ(place->tfm("translate -q --replace-unknown --keep-markup 'n3 <b>Zork</b> n7'").out,
            "e3 <b>Zork</b> e7\n");
  place->folder.write("names.tsv", "Zork\tQork\n");
  EXPECT_EQ(
      place->tfm("translate -q --replace-unknown --unknown-dictionary names.tsv 'n3 Zork n7'").out,
      "e3 Qork e7\n");
  EXPECT_THAT(place->tfm("translate -q 'n3 Zork n7'").out, testing::Not(HasSubstr("unk")));
  const auto alone = place->tfm("translate -q --unknown-dictionary names.tsv 'n3'");
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--replace-unknown"));
}

TEST_F(MarkupEndToEnd, RemovesControlCharactersFromCopiedWords) {
  for (const std::string control : {"\x1c", "\x1b", "\u0085", "\u2028", "\u2029", "\u009b"}) {
    EXPECT_EQ(place->tfm("translate -q --replace-unknown", "n3 Zo" + control + "rk n7\n").out,
              "e3 Zo rk e7\n")
        << testing::PrintToString(control);
  }
}

}  // namespace
}  // namespace tfm
