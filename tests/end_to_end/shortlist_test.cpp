// Tests that tfm shortlist learns from the training data, and that tfm translate accepts the
// shortlist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "small_translator.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class ShortlistOfARun : public TrainedSuite<ShortlistOfARun> {
 public:
  static constexpr const char* command = train_small_translator;
};

TEST_F(ShortlistOfARun, TranslateAcceptsALearnedShortlistInEveryFormat) {
  const std::string translate = "translate -q -m runs/small --shortlist auto ";
  const auto before = place->tfm(translate + "hallo");
  EXPECT_EQ(before.code, 1);
  EXPECT_THAT(before.err, HasSubstr("tfm shortlist -m runs/small"));

  const auto made = place->tfm("shortlist -m runs/small");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out, "runs/small/shortlist.safetensors\n");
  EXPECT_THAT(made.err, HasSubstr("% of their target tokens"));

  const std::string lines = "ich möchte ein bier\n\n\xFFnull\xE2\x80\xA8 {name}\n";
  const std::vector<std::pair<std::string, int>> wanted{
      {"", 3},
      {"--beam-size 1", 3},
      // the empty line has one translation
      {"--sampling --n-best 2 --beam-size 2 --format marian", 5},
      {"--format jsonl --alignment", 3},
      {"--coverage-penalty 0.2", 3}};
  for (const auto& [options, count] : wanted) {
    const auto outcome = place->tfm(translate + options, lines);
    EXPECT_EQ(outcome.code, 0) << options << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), count) << options << "\n" << outcome.out;
  }
  EXPECT_THAT(place->tfm(translate + "--target-prefix 'a beer' hallo").out, HasSubstr("a beer"));

  const auto refused = place->tfm(translate + "--reproducible hallo");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--shortlist auto, --reproducible: "));
}

TEST_F(ShortlistOfARun, CannotBeLearnedFromACorpusWithoutMatchingSides) {
  place->folder.write("a.de", "hallo\nbier\n");
  EXPECT_EQ(place->tfm("shortlist -m runs/small --source a.de").code, 2) << "--target is missing";
  place->folder.write("a.en", "hello\n");
  const auto uneven = place->tfm("shortlist -m runs/small --source a.de --target a.en -o x");
  EXPECT_EQ(uneven.code, 1);
  EXPECT_THAT(uneven.err, HasSubstr("lines"));
  EXPECT_FALSE(std::filesystem::exists(place->folder.path("x")));
}

TEST_F(ShortlistOfARun, DoesNotReplaceTheTextItReads) {
  place->folder.write("b.de", "hallo\n");
  place->folder.write("b.en", "hello\n");
  const auto refused = place->tfm("shortlist -m runs/small --source b.de --target b.en -o b.en");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("b.en: is read and would be replaced"));
  EXPECT_EQ(place->folder.read("b.en"), "hello\n");
}

}  // namespace
}  // namespace tfm
