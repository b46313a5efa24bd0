#include <gtest/gtest.h>

#include <string>

#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(FormerNames, KeyCutProbabilityIsReadAsSimcutProbability) {
  const std::string file = "training:\n  simcut: 3\n  cut_probability: 0.25\n";
  EXPECT_EQ(parse_config(file, "former.yaml").training.simcut_probability, 0.25);
  for (const char* key : {"training.cut_probability", "training.cut-probability"}) {
    const Config config = parse_config(file, "former.yaml", {std::string(key) + "=0.5"});
    EXPECT_EQ(config.training.simcut_probability, 0.5) << key;
  }
}

TEST(FormerNames, ChoiceIgnoreOfTheFieldOnDivergenceIsReadAsSkip) {
  const std::string file = "training:\n  on_divergence: ignore\n";
  EXPECT_EQ(parse_config(file, "former.yaml").training.on_divergence, OnDivergence::skip);
  EXPECT_EQ(parse_config("", "former.yaml", {"training.on_divergence=ignore"}).training,
            parse_config("", "current.yaml", {"training.on_divergence=skip"}).training);
}

// Simulates the config of an earlier version's model folder, in which every field is set.
TEST(FormerNames, ConfigsSavedByEarlierVersionsAreRead) {
  Config config;
  config.training.simcut_probability = 0.25;
  config.training.on_divergence = OnDivergence::skip;
  std::string former = write_config(config);
  const auto replace = [&](const std::string& current, const std::string& name) {
    former.replace(former.find(current), current.size(), name);
  };
  replace("simcut_probability: 0.25", "cut_probability: 0.25");
  replace("on_divergence: skip", "on_divergence: ignore");
  EXPECT_EQ(parse_config(former, "config.yaml"), config);
}

TEST(FormerNames, AreNotWritten) {
  const Config config =
      parse_config("training:\n  cut_probability: 0.25\n  on_divergence: ignore\n", "former.yaml");
  const std::string written = write_config(config);
  EXPECT_NE(written.find("  simcut_probability: 0.25\n"), std::string::npos) << written;
  EXPECT_NE(written.find("  on_divergence: skip\n"), std::string::npos) << written;
  EXPECT_EQ(written.find(" cut_probability"), std::string::npos) << written;
}

TEST(FormerNames, AreRejectedIfTheCurrentNameIsAlsoSet) {
  try {
    parse_config("training:\n  cut_probability: 0.1\n  simcut_probability: 0.2\n", "a.yaml");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(
        error.what(),
        "a.yaml:3: 'training.simcut_probability' is given twice, first in line 2; delete one");
  }
}

TEST(FormerNames, AreExplainedAsTheCurrentName) {
  EXPECT_EQ(explain("training.cut_probability"), explain("training.simcut_probability"));
}

TEST(FormerNames, FormerChoicesAreAcceptedOnlyForTheirField) {
  Config config;
  EXPECT_NE(find_field("data.bad_lines")->set(config, "ignore"), std::nullopt);
}

}  // namespace
}  // namespace tfm
