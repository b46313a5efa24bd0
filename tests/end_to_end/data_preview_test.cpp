// Tests training data with modifiers as a user sees it: a config of OpusTrainer is converted,
// previewed and trained on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// A folder with a text as OpusTrainer takes it, and a config made from a config of OpusTrainer.
class OpusTrainerConfig : public testing::Test {
 protected:
  void SetUp() override {
    std::string pairs;
    std::istringstream source(place.folder.read("data/cafe/train.de"));
    std::istringstream target(place.folder.read("data/cafe/train.en"));
    std::string line;
    for (std::string other; std::getline(source, line) && std::getline(target, other);)
      pairs += line + "\t" + other + "\n";
    place.folder.write("clean.tsv", pairs);
    place.folder.write(
        "train.yml",
        "datasets:\n  clean: clean.tsv\nstages: [all]\n"
        "all: [clean 1, until clean 1]\n"
        "modifiers:\n  - Merge: 0.05\n  - UpperCase: 0.1\n  - Shuffle: 0.1\nseed: 3\n");
    converted = place.tfm("config import train.yml -o my.yaml");
  }

  Workplace place;
  Outcome converted;
};

TEST_F(OpusTrainerConfig, IsConvertedWithAWarningOfWhatTfmLacks) {
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_THAT(converted.err, HasSubstr("train.yml:8: tfm has no modifier like Shuffle"));
  const auto checked = place.tfm("config check my.yaml");
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("upper_case=0.1"));
  EXPECT_EQ(place.tfm("config import train.yml -o my.yaml").code, 2) << "my.yaml exists";
  EXPECT_EQ(place.tfm("config import train.yml -o my.yaml --force").code, 0);
}

TEST_F(OpusTrainerConfig, PreviewShowsThePairsOfAnEpoch) {
  const auto preview =
      place.tfm("data preview my.yaml --format json --lines 6000 tokenizer.vocab_size=500");
  ASSERT_EQ(preview.code, 0) << preview.err;
  const auto json = nlohmann::json::parse(preview.out);
  EXPECT_EQ(json["pairs"], 5008);
  ASSERT_EQ(json["shown"].size(), 5008U);
  // A tenth of the pairs, with a standard deviation of 21. The test allows five.
  EXPECT_NEAR(json["modifiers"][1]["changed"].get<double>(), 501, 106);
  for (const auto& pair : json["shown"])
    EXPECT_EQ(pair["source"] != pair["original_source"], !pair["changed_by"].empty());
  const auto text =
      place.tfm("data preview my.yaml --modifier upper_case tokenizer.vocab_size=500");
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("upper_case"));
  EXPECT_EQ(place.tfm("data preview my.yaml data.modifiers=typo=0.1").code, 2);
}

}  // namespace
}  // namespace tfm
