#include "tfm/training/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Config validated_config() {
  Config config;
  config.data.valid_source = "valid.de";
  config.data.valid_target = "valid.en";
  return config;
}

TEST(Advice, NamesTheFieldsToChangeIfTheModelIsTooLarge) {
  const struct {
    const char* name;
    Preset preset;
    double max_minutes;
    RunSize size;
    std::string advice;  // the expected message; empty if none is expected
  } cases[] = {
      {"base model, small corpus",
       Preset::none,
       0,
       {59'500'000, 10'000'000, 5000},
       "the model (59.5 million parameters) is too large for 5000 pairs\n  Use model.preset: tiny, "
       "training.max_steps: auto with training.max_minutes."},
      {"time is limited",
       Preset::none,
       30,
       {59'500'000, 10'000'000, 5000},
       "the model (59.5 million parameters) is too large for 5000 pairs\n  Use model.preset: "
       "tiny."},
      {"large vocabulary",
       Preset::tiny,
       30,
       {16'000'000, 14'000'000, 5000},
       "the model (16.0 million parameters) is too large for 5000 pairs\n  Use "
       "tokenizer.vocab_size: auto."},
      {"no remedy by name",
       Preset::tiny,
       30,
       {16'000'000, 1'000'000, 5000},
       "the model (16.0 million parameters) is too large for 5000 pairs\n  Use a smaller model, or "
       "more text."},
      {"base model, enough text", Preset::base, 0, {59'500'000, 10'000'000, 200'000}, ""},
      {"small model, toy corpus", Preset::none, 0, {2'000'000, 1'000'000, 20}, ""},
  };
  for (const auto& [name, preset, max_minutes, size, advice] : cases) {
    auto config = validated_config();
    config.model.preset = preset;
    config.training.max_minutes = max_minutes;
    if (advice.empty())
      EXPECT_THAT(advise(config, size), IsEmpty()) << name;
    else
      EXPECT_THAT(advise(config, size), ElementsAre(advice)) << name;
  }
}

TEST(Advice, WarnsIfATenthOfTheValidationPairsAreTrainingPairs) {
  RunSize size{.parameters = 1000, .pairs = 5000, .overlap = {250, 25}};
  EXPECT_THAT(
      advise(validated_config(), size),
      ElementsAre("25 of 250 validation pairs are also in the training text: scores on them "
                  "do not show how well the model translates new text\n  Remove them from "
                  "the training text, or name other pairs in data.valid_source and "
                  "data.valid_target."));
  size.overlap.shared_pairs = 24;
  EXPECT_THAT(advise(validated_config(), size), IsEmpty());
}

TEST(Advice, NamesTheFeaturesThatAreMissingWithoutValidationData) {
  const RunSize size{.parameters = 1000, .pairs = 5000};
  EXPECT_THAT(advise(Config{}, size),
              ElementsAre(testing::AllOf(HasSubstr("no best model"), HasSubstr("early stopping"),
                                         HasSubstr("data.valid_source"))));
  EXPECT_THAT(advise(validated_config(), size), IsEmpty());
}

}  // namespace
}  // namespace tfm
