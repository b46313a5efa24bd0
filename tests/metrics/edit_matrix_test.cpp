#include "metrics/edit_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "property.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(EditMatrix, ReturnsTheEditsOfALevenshteinDistance) {
  const std::u32string reference = U"sitting";
  EditMatrix matrix(reference, 6);
  EXPECT_EQ(matrix.distance(U"kitten"), 3);
  EXPECT_THAT(matrix.edits(), ElementsAre(Edit::substitute, Edit::keep, Edit::keep, Edit::keep,
                                          Edit::substitute, Edit::keep, Edit::insert));
}

TEST(EditMatrix, ReturnsEditsForEmptyTexts) {
  EditMatrix no_words(U"ab", 0);
  EXPECT_EQ(no_words.distance(U""), 2);
  EXPECT_THAT(no_words.edits(), ElementsAre(Edit::insert, Edit::insert));
  EditMatrix no_reference(U"", 2);
  EXPECT_EQ(no_reference.distance(U"ab"), 2);
  EXPECT_THAT(no_reference.edits(), ElementsAre(Edit::remove, Edit::remove));
}

TEST(EditMatrix, PrefersToKeepOrSubstituteTheLastWord) {
  EditMatrix shorter(U"a", 2);
  EXPECT_EQ(shorter.distance(U"aa"), 1);
  EXPECT_THAT(shorter.edits(), ElementsAre(Edit::remove, Edit::keep));
  EditMatrix swapped(U"ba", 2);
  EXPECT_EQ(swapped.distance(U"ab"), 2);
  EXPECT_THAT(swapped.edits(), ElementsAre(Edit::substitute, Edit::substitute));
}

// The common words are 30 columns from the diagonal. Without a beam, the distance would be 60.
TEST(EditMatrix, DoesNotFindCommonWordsOutsideTheBeam) {
  std::u32string common(60, U' ');
  std::iota(common.begin(), common.end(), U'd');
  const std::u32string reference = common + std::u32string(30, U'c');
  EditMatrix matrix(reference, 90);
  EXPECT_EQ(matrix.distance(std::u32string(30, U'b') + common), 90);
}

std::u32string apply_edits(const std::vector<Edit>& edits, std::u32string_view hypothesis,
                           std::u32string_view reference) {
  std::u32string result;
  std::size_t i = 0;
  for (const Edit edit : edits) {
    if (edit == Edit::keep) result += hypothesis[i];
    if (edit == Edit::substitute || edit == Edit::insert) result += reference[result.size()];
    if (edit != Edit::insert) ++i;
  }
  return result;
}

TEST(EditMatrix, EditsTurnEachHypothesisIntoTheReference) {
  check_property([] {
    const auto text = [](int longest) {
      const auto size = *rc::gen::inRange(0, longest);
      return *rc::gen::container<std::u32string>(static_cast<std::size_t>(size),
                                                 rc::gen::inRange<char32_t>(0, 4));
    };
    const auto reference = text(120);
    const auto hypothesis = text(120);
    EditMatrix matrix(reference, hypothesis.size());
    // The second hypothesis shares its beginning with the first, so rows are reused.
    auto changed = hypothesis;
    if (!changed.empty()) changed[*rc::gen::inRange<std::size_t>(0, changed.size())] = 9;
    for (const auto& each : {hypothesis, changed}) {
      const auto distance = matrix.distance(each);
      const auto edits = matrix.edits();
      RC_ASSERT(apply_edits(edits, each, reference) == reference);
      RC_ASSERT(distance == std::ssize(edits) - std::ranges::count(edits, Edit::keep));
      RC_ASSERT(distance == EditMatrix(reference, each.size()).distance(each));
    }
  });
}

}  // namespace
}  // namespace tfm
