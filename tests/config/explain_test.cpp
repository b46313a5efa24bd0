#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(Explain, ShowsTypeRangeAndDefaultOfAField) {
  EXPECT_THAT(explain("model.dropout"),
              testing::StartsWith("model.dropout\n  number between 0 and 0.95; default: 0.1\n"));
  EXPECT_THAT(explain("training.batch-size"),
              HasSubstr("whole number at least 1, or auto; default: 4096"));
  EXPECT_THAT(explain("model.norm"),
              HasSubstr("one of layer_norm, rms_norm or deviation_norm; default: layer_norm"));
  EXPECT_THAT(explain("data.train_tsv"), HasSubstr("text; default: empty"));
}

TEST(Explain, ShowsExactlyTheFieldsOfASection) {
  const std::string text = explain("training");
  for (const Field& field : fields()) {
    EXPECT_EQ(text.find(field.key() + "\n") != std::string::npos, field.section == "training")
        << field.key();
  }
}

TEST(Explain, WrapsLongLines) {
  for (const std::string section : {"model", "tokenizer", "data", "training", "decoding"}) {
    std::istringstream lines(explain(section));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 96u) << line;
  }
}

TEST(Explain, KeepsEveryWordOfTheHelpText) {
  for (const Field& field : fields()) {
    std::istringstream explained(explain(field.key()));
    std::istringstream documented(field.doc);
    const std::vector<std::string> all{std::istream_iterator<std::string>(explained), {}};
    const std::vector<std::string> words{std::istream_iterator<std::string>(documented), {}};
    ASSERT_GE(all.size(), words.size());
    EXPECT_TRUE(std::equal(words.begin(), words.end(),
                           all.end() - static_cast<std::ptrdiff_t>(words.size())))
        << field.key();
  }
}

TEST(Explain, FindsFieldsByAWordOfTheirNameOrHelpText) {
  const std::string text = explain("Warmup");
  EXPECT_THAT(text, testing::StartsWith("No key is named 'Warmup'.\n\ntraining.warmup_steps\n"));
  EXPECT_THAT(text, HasSubstr("\nFields whose explanation contains 'warmup':\n"));
  EXPECT_THAT(text, HasSubstr("\n  training.schedule\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("training.seed")));
  EXPECT_THAT(explain("beam-gro"), HasSubstr("\ndecoding.beam_groups\n"));
}

TEST(Explain, ExplainsTheFieldForANameOfAnotherToolkit) {
  EXPECT_THAT(
      explain("dim-emb"),
      testing::StartsWith("No key is named 'dim-emb'.\n'dim-emb' of Marian is "
                          "model.hidden_size in tfm.\n\nmodel.hidden_size\n  whole number"));
}

std::string explain_error(std::string_view key) {
  try {
    explain(key);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Explain, SuggestsTheNearestKeyOrSectionForAnUnknownKey) {
  EXPECT_THAT(explain_error("training.sead"), HasSubstr("Did you mean 'training.seed'?"));
  EXPECT_THAT(explain_error("trainning"), HasSubstr("Did you mean 'training'?"));
  EXPECT_THAT(explain_error("xylophone"), HasSubstr("The sections are"));
}

TEST(JsonSchema, DescribesEveryFieldAndForbidsOtherKeys) {
  const auto schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"].size(), 5u);
  std::size_t count = 0;
  for (const auto& section : schema["properties"]) {
    EXPECT_EQ(section["additionalProperties"], false);
    count += section["properties"].size();
  }
  EXPECT_EQ(count, fields().size());
}

TEST(JsonSchema, GivesTypesDefaultsAndLimits) {
  const auto sections = nlohmann::json::parse(json_schema()).at("properties");
  const auto heads = sections.at("model").at("properties").at("heads");
  EXPECT_EQ(heads.at("type"), "integer");
  EXPECT_EQ(heads.at("default"), 8);
  EXPECT_EQ(heads.at("minimum"), 1);
  EXPECT_EQ(heads.at("maximum"), 1024);
  const auto rate = sections.at("training").at("properties").at("learning_rate");
  EXPECT_EQ(rate.at("type"), "number");
  EXPECT_EQ(rate.at("default"), 0.001);
  const auto size = sections.at("training").at("properties").at("batch_size");
  EXPECT_EQ(size.count("maximum"), 0u);
  EXPECT_EQ(size.at("type"), nlohmann::json({"integer", "string"}));
  EXPECT_EQ(size.at("pattern"), "^auto$");
  EXPECT_EQ(size.at("default"), 4096);
  EXPECT_EQ(sections.at("decoding").at("properties").at("batch_size").at("default"), "auto");
  const auto optimizer = sections.at("training").at("properties").at("optimizer");
  EXPECT_EQ(optimizer.at("enum"), nlohmann::json({"adam", "adamw", "sgd"}));
  EXPECT_EQ(optimizer.at("default"), "adam");
  EXPECT_EQ(sections.at("model").at("properties").at("bias").at("default"), true);
  EXPECT_EQ(sections.at("data").at("properties").at("train_tsv").at("default"), "");
  const auto sets = sections.at("data").at("properties").at("valid_sets");
  EXPECT_EQ(sets.at("type"), "array");
  EXPECT_EQ(sets.at("items").at("type"), "string");
  EXPECT_EQ(sets.at("default"), nlohmann::json::array());
}

}  // namespace
}  // namespace tfm
