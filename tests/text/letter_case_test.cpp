#include "tfm/text/letter_case.h"

#include <gtest/gtest.h>

#include "property.h"

namespace tfm {
namespace {

TEST(Lowercase, KeepsBytesThatAreNotUtf8) { EXPECT_EQ(lowercase("A\xff Ä\xc3"), "a\xff ä\xc3"); }

TEST(Uppercase, KeepsBytesThatAreNotUtf8) { EXPECT_EQ(uppercase("a\xff ä\xc3"), "A\xff Ä\xc3"); }

/// The expected texts are those of Python's str.upper().
TEST(Uppercase, EqualsStrUpperOfPython) {
  EXPECT_EQ(uppercase("straße ﬁn ÿ 1a, don't"), "STRASSE FIN Ÿ 1A, DON'T");
  EXPECT_EQ(uppercase("ďábel, žluťoučký"), "ĎÁBEL, ŽLUŤOUČKÝ");
  EXPECT_EQ(uppercase("ὀδός, жук, ფ, հայ"), "ὈΔΌΣ, ЖУК, Ფ, ՀԱՅ");
  EXPECT_EQ(uppercase("ǆ ǅ ꭰ 漢字 ひ"), "Ǆ Ǆ Ꭰ 漢字 ひ");
  EXPECT_EQ(uppercase("ı i"), "I I");
}

TEST(Uppercase, KeepsTheDotOfTurkicLanguages) {
  EXPECT_EQ(uppercase("ılık istanbul", DottedI::turkic), "ILIK İSTANBUL");
  EXPECT_EQ(lowercase("ILIK İSTANBUL", DottedI::turkic), "ılık istanbul");
  EXPECT_EQ(dotted_i("tr"), DottedI::turkic);
  EXPECT_EQ(dotted_i("az-Latn"), DottedI::turkic);
  EXPECT_EQ(dotted_i("trv"), DottedI::usual);
  EXPECT_EQ(dotted_i(""), DottedI::usual);
}

TEST(Titlecase, ChangesTheFirstCasedLetterOfEveryWord) {
  EXPECT_EQ(titlecase("the (OLD)  café, don't"), "The (Old)  Café, Don't");
  EXPECT_EQ(titlecase("3D 2nd \"quoted\" ΟΔΟΣ жУК"), "3d 2nd \"Quoted\" Οδος Жук");
  EXPECT_EQ(titlecase("ßa ﬁn"), "ßa ﬁn") << "their upper case is two letters";
  EXPECT_EQ(titlecase("istanbul ILIK", DottedI::turkic), "İstanbul Ilık");
  EXPECT_EQ(titlecase(""), "");
}

TEST(LetterCaseProperty, ConversionsAreIdempotentAndIgnoreTheFormerCase) {
  check_property([] {
    const std::string text =
        *text_from({"a", "B", "ß", "Σ", "σ",      "ς", "ǆ", "ŉ", "ﬁ", "İ",  "ı",
                    "i", "I", "é", "É", "\u0301", "'", "(", " ", "1", "漢", "\xff"});
    for (const auto rule : {DottedI::usual, DottedI::turkic}) {
      RC_ASSERT(uppercase(uppercase(text, rule), rule) == uppercase(text, rule));
      RC_ASSERT(lowercase(lowercase(text, rule), rule) == lowercase(text, rule));
      RC_ASSERT(titlecase(titlecase(text, rule), rule) == titlecase(text, rule));
    }
  });
}

}  // namespace
}  // namespace tfm
