#include "cli/field_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Function>
std::string error_text(Function function) {
  try {
    function();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string options_error(const std::vector<std::string>& assignments) {
  Config config;
  return error_text([&] { apply_options(config, assignments); });
}

TEST(ApplyOptions, LaterAssignmentsOverrideEarlierOnes) {
  Config config;
  apply_options(config, {"decoding.beam_size=8", "decoding.n_best=6", "decoding.beam_size=6"});
  EXPECT_EQ(config.decoding.beam_size, 6);
  EXPECT_EQ(config.decoding.n_best, 6);
}

TEST(ApplyOptions, NamesTheOptionsThatBreakARule) {
  EXPECT_EQ(options_error({"decoding.n_best=8"}),
            "--n-best 8: a beam of 4 cannot give 8 translations\n"
            "  Raise --beam-size or lower --n-best.");
  EXPECT_THAT(options_error({"decoding.n_best=8", "decoding.beam_size=6"}),
              testing::StartsWith("--n-best 8, --beam-size 6: a beam of 6 cannot give"));
  EXPECT_EQ(options_error({"decoding.sampling=true", "decoding.coverage_penalty=0.2"}),
            "--sampling, --coverage-penalty 0.2: sampling does not compare hypotheses\n"
            "  Set one of them to its default.");
}

/// "--sampling false" would be a flag and a text to translate.
TEST(ApplyOptions, WritesTheValueOfAFlagAfterAnEqualsSign) {
  EXPECT_THAT(options_error({"decoding.sampling=true", "decoding.forced_phrases=a"}),
              testing::HasSubstr("Set --sampling=false, or remove --forced-phrases."));
  EXPECT_THAT(options_error({"decoding.sampling=false", "decoding.sampling_topk=3"}),
              testing::AllOf(testing::HasSubstr("--sampling=false"),
                             testing::HasSubstr("Set --sampling=true.")));
}

TEST(ApplyOptions, NamesTheOptionOfAWrongValue) {
  EXPECT_THAT(options_error({"decoding.beam_size=0"}),
              testing::StartsWith("--beam-size 0: must be between 1 and 1024, not 0"));
}

TEST(OptionHelp, NamesOptionsInsteadOfFields) {
  const auto always = [](const Field&) { return true; };
  const auto help = [&](std::int64_t DecodingConfig::* member) {
    return option_help(field_of(&Config::decoding, member), always);
  };
  EXPECT_THAT(help(&DecodingConfig::n_best), HasSubstr("the best ones, at most --beam-size, or"));
  EXPECT_THAT(help(&DecodingConfig::max_length), HasSubstr("unless data.max_length of the model"));
  EXPECT_THAT(
      option_help(field_of(&Config::decoding, &DecodingConfig::max_length_factor),
                  [](const Field& field) { return field.name != "max_length"; }),
      HasSubstr("to --max-length-factor x source length + 10 tokens. decoding.max_length "));
}

TEST(OptionHelp, NamesNoFieldByItsNameAlone) {
  for (const Field& field : fields()) {
    std::istringstream words(option_help(field, [](const Field&) { return true; }));
    for (std::string word; words >> word;) {
      word.erase(word.find_last_not_of(".,:;)") + 1);
      const bool is_name = word.find('_') != std::string::npos;
      EXPECT_FALSE(is_name && find_field(field.section + "." + word) != nullptr) << word;
    }
  }
}

TEST(RunWithOptions, NamesTheOptionOfAnErrorAboutItsField) {
  const auto run_error = [](const std::vector<std::string>& assignments) {
    return error_text([&] {
      run_with_options(assignments, []() -> int {
        throw ConfigError("decoding.precision", "int8 is only supported on the CPU",
                          "Set decoding.precision to bf16, or use --device cpu.");
      });
    });
  };
  EXPECT_EQ(run_error({"decoding.beam_size=2", "decoding.precision=int8"}),
            "--precision int8: int8 is only supported on the CPU\n"
            "  Set --precision to bf16, or use --device cpu.");
  EXPECT_THAT(run_error({"decoding.beam_size=2"}),
              testing::StartsWith("decoding.precision: int8 is only supported"));
  EXPECT_EQ(run_with_options({}, [] { return 3; }), 3);
}

TEST(TakeOverrides, TakesOnlyArgumentsThatAssignToConfigKeys) {
  std::vector<std::string> arguments{"ein haus", "decoding.beam_size=5", "a.b=c", "x=y",
                                     "decoding.target-prefix=The = sign"};
  EXPECT_THAT(take_overrides(arguments, Effect::decoding_output),
              ElementsAre("decoding.beam_size=5", "decoding.target-prefix=The = sign"));
  EXPECT_THAT(arguments, ElementsAre("ein haus", "a.b=c", "x=y"));
}

TEST(TakeOverrides, RefusesUnknownKeysAndFieldsWithoutEffect) {
  const auto take = [](const std::string& argument) {
    return error_text([&] {
      std::vector<std::string> arguments{argument};
      take_overrides(arguments, Effect::decoding_output);
    });
  };
  EXPECT_EQ(take("decoding.beam_sise=5"),
            "decoding.beam_sise=5: unknown key 'decoding.beam_sise'\n"
            "  Did you mean 'decoding.beam_size'?");
  EXPECT_THAT(take("training.seed=5"), HasSubstr("training.seed=5: the field has no effect"));
}

TEST(AdviseOverride, SuggestsTheFieldThatAnUnknownOptionNames) {
  EXPECT_EQ(advise_override("--max-steps=4"),
            "Write a config field without dashes: training.max_steps=4.");
  EXPECT_EQ(advise_override("--max-length"),
            "Write a config field without dashes: data.max_length=VALUE or "
            "decoding.max_length=VALUE.");
  EXPECT_EQ(advise_override("--dim-emb=512"),
            "'dim-emb' of Marian is model.hidden_size in tfm: write model.hidden_size=512.");
  EXPECT_THAT(advise_override("--confg"), IsEmpty());
}

}  // namespace
}  // namespace tfm
