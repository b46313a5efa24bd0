#include "tfm/config/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace tfm {
namespace {

TEST(Fields, HaveDistinctKeysThatFindFieldFinds) {
  std::set<std::string> keys;
  for (const Field& field : fields()) {
    EXPECT_TRUE(keys.insert(field.key()).second) << field.key() << " occurs twice in the table";
    EXPECT_EQ(find_field(field.key()), &field);
  }
}

TEST(Fields, HaveHelpTextsThatEndWithAFullStop) {
  for (const Field& field : fields()) {
    EXPECT_GE(field.doc.size(), 25u) << field.key();
    EXPECT_EQ(field.doc.back(), '.') << field.key();
  }
}

TEST(Fields, AcceptTheirDefaultValues) {
  const Config defaults;
  for (const Field& field : fields()) {
    Config config;
    EXPECT_EQ(field.set(config, field.get(defaults)), std::nullopt) << field.key();
    EXPECT_EQ(config, defaults) << field.key();
  }
}

// This test also detects two entries with the same member, which easily happens when an entry is
// copied.
TEST(Fields, ChangeOnlyTheirOwnMember) {
  for (const Field& field : fields()) {
    Config config;
    std::string other = "other";
    if (field.type == FieldType::boolean) other = field.get(config) == "true" ? "false" : "true";
    if (field.type == FieldType::choice)
      other = field.choices.at(0) == field.get(config) ? field.choices.at(1) : field.choices.at(0);
    if (field.type == FieldType::integer) other = field.get(config) == "3" ? "2" : "3";
    if (field.type == FieldType::integer && field.range.low > 3) other = "77";
    if (field.type == FieldType::real) other = field.get(config) == "0.92" ? "0.91" : "0.92";
    if (field.name == "norm_epsilon") other = "0.0123";
    if (field.name == "character_coverage") other = "0.99";
    if (field.type == FieldType::real && field.range.low >= 1) other = "1.5";
    ASSERT_EQ(field.set(config, other), std::nullopt) << field.key();
    const Config defaults;
    for (const Field& each : fields()) {
      EXPECT_EQ(each.get(config), &each == &field ? other : each.get(defaults))
          << "after setting " << field.key() << ": " << each.key();
    }
  }
}

TEST(Fields, AreGroupedBySectionInTheOrderOfTheConfigStruct) {
  EXPECT_EQ(fields().front().key(), "model.preset");
  EXPECT_EQ(fields().back().key(), "decoding.precision");
  std::vector<std::string> sections;
  for (const Field& field : fields()) {
    if (sections.empty() || sections.back() != field.section) sections.push_back(field.section);
  }
  EXPECT_THAT(sections, testing::ElementsAre("model", "tokenizer", "data", "training", "decoding"));
}

TEST(FindField, TreatsDashesAsUnderscores) {
  EXPECT_EQ(find_field("training.batch-size"), find_field("training.batch_size"));
  EXPECT_NE(find_field("training.batch-size"), nullptr);
  EXPECT_EQ(find_field("training.nothing"), nullptr);
  EXPECT_EQ(find_field("training"), nullptr);
}

std::string set_error(std::string_view key, std::string_view value) {
  Config config;
  const auto problem = find_field(key)->set(config, value);
  EXPECT_EQ(config, Config()) << "a rejected value must not change the config";
  return problem.value_or("accepted");
}

TEST(Fields, DescribeTheProblemOfARejectedValue) {
  EXPECT_EQ(set_error("model.heads", "0"), "must be between 1 and 1024, not 0");
  EXPECT_EQ(set_error("training.batch_size", "-5"), "must be auto or at least 1, not -5");
  EXPECT_EQ(set_error("training.batch_size", "4k"),
            "must be auto or a whole number, not '4k'; write 4000");
  EXPECT_EQ(set_error("training.batch_size", "1.5"), "must be auto or a whole number, not '1.5'");
  EXPECT_EQ(set_error("training.batch_size", ""), "must be auto or a whole number, not ''");
  EXPECT_EQ(set_error("training.batch_size", " 5"), "must be auto or a whole number, not ' 5'");
  EXPECT_EQ(set_error("training.max_steps", "99999999999999999999"),
            "is too large or too small a number: '99999999999999999999'");
  EXPECT_EQ(set_error("model.dropout", "1"), "must be between 0 and 0.95, not 1");
  EXPECT_EQ(set_error("model.dropout", "nan"), "must be a number, not 'nan'");
  EXPECT_EQ(set_error("training.clip_norm", "inf"), "must be a number, not 'inf'");
  EXPECT_EQ(set_error("model.bias", "maybe"), "must be true or false, not 'maybe'");
  EXPECT_EQ(set_error("model.norm", "layernorm"),
            "must be layer_norm, rms_norm or deviation_norm, not 'layernorm'");
  EXPECT_EQ(set_error("training.optimizer", "Adam"), "must be adam, adamw or sgd, not 'Adam'");
}

TEST(Fields, AcceptAKeywordInsteadOfANumber) {
  Config config;
  const Field& size = *find_field("training.batch_size");
  EXPECT_EQ(size.set(config, "auto"), std::nullopt);
  EXPECT_EQ(config.training.batch_size, 0);
  EXPECT_EQ(size.get(config), "auto");
  EXPECT_EQ(size.set(config, "64"), std::nullopt);
  EXPECT_EQ(size.get(config), "64");
  EXPECT_NE(size.set(config, "0"), std::nullopt);
}

TEST(Fields, DistinguishAKeywordFromZero) {
  Config config;
  const Field& steps = *find_field("training.max_steps");
  EXPECT_EQ(steps.set(config, "auto"), std::nullopt);
  EXPECT_EQ(config.training.max_steps, TrainingConfig::automatic_steps);
  EXPECT_EQ(steps.get(config), "auto");
  EXPECT_EQ(steps.set(config, "0"), std::nullopt);
  EXPECT_EQ(steps.get(config), "0");
  EXPECT_EQ(steps.set(config, "-1"), "must be auto or at least 0, not -1");
}

TEST(Fields, ReadBooleansInAnyCase) {
  Config config;
  EXPECT_EQ(find_field("model.bias")->set(config, "False"), std::nullopt);
  EXPECT_FALSE(config.model.bias);
}

TEST(Fields, KeepEveryDigitOfANumber) {
  Config config;
  const Field& rate = *find_field("training.learning_rate");
  for (const double value : {0.1, 1.0 / 3.0, 1e-3, 7e-12, 0.30000000000000004}) {
    config.training.learning_rate = value;
    Config read;
    ASSERT_EQ(rate.set(read, rate.get(config)), std::nullopt);
    EXPECT_EQ(read.training.learning_rate, value);
  }
  config.training.learning_rate = 0.1;
  EXPECT_EQ(rate.get(config), "0.1") << "must be the shortest form, not 0.10000000000000001";
}

TEST(NearestKey, CorrectsTypingErrors) {
  EXPECT_EQ(nearest_key("training.sead"), "training.seed");
  EXPECT_EQ(nearest_key("training.batchsize"), "training.batch_size");
  EXPECT_EQ(nearest_key("modle.heads"), "model.heads");
  EXPECT_EQ(nearest_key("model.hidden-sice"), "model.hidden_size");
}

TEST(NearestKey, FindsTheSectionOfANameWithoutSection) {
  EXPECT_EQ(nearest_key("seed"), "training.seed");
  EXPECT_EQ(nearest_key("beam_size"), "decoding.beam_size");
}

TEST(NearestKey, FindsANameThatIsInAnotherSection) {
  EXPECT_EQ(nearest_key("model.seed"), "training.seed");
}

TEST(NearestKey, CompletesTheBeginningOfAName) {
  EXPECT_EQ(nearest_key("training.warmup"), "training.warmup_steps");
  EXPECT_EQ(nearest_key("beam"), "decoding.beam_size");
}

TEST(NearestKey, PrefersTheGivenSection) {
  EXPECT_EQ(nearest_key("decoding.batch_sise"), "decoding.batch_size");
  EXPECT_EQ(nearest_key("training.batch_sise"), "training.batch_size");
}

TEST(NearestKey, IsEmptyIfNoKeyIsSimilar) {
  EXPECT_EQ(nearest_key("zzzzzzzz"), "");
  EXPECT_EQ(nearest_key("training.xylophone"), "");
  EXPECT_EQ(nearest_key(""), "");
}

TEST(FieldOf, FindsTheFieldOfAMember) {
  EXPECT_EQ(field_of(&Config::training, &TrainingConfig::seed).key(), "training.seed");
  EXPECT_EQ(field_of(&Config::decoding, &DecodingConfig::seed).key(), "decoding.seed");
  for (const Field& field : fields()) {
    const Config config;
    EXPECT_EQ(&field_at(config, field.member(config)), &field) << field.key();
  }
}

TEST(FieldAt, ThrowsForAnAddressOutsideTheConfig) {
  const Config config;
  EXPECT_THROW(field_at(config, nullptr), std::logic_error);
}

}  // namespace
}  // namespace tfm
