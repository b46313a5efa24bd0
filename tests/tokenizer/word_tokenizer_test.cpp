#include "tfm/tokenizer/word_tokenizer.h"

#include <gmock/gmock.h>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns a tokenizer with the source vocabulary of the toy corpus (docs/models.md): the special
/// tokens have other names, and there is no unknown token, bos or eos.
WordTokenizer toy_source() {
  TokenizerConfig names;
  names.pad_token = "P";
  names.bos_token = "S";
  names.eos_token = "E";
  names.unk_token = "";
  return WordTokenizer(Vocab({"P", "ich", "mochte", "ein", "bier", "cola"}, names));
}

WordTokenizer with_unknown() {
  return WordTokenizer(Vocab({"<pad>", "<s>", "</s>", "<unk>", "a", "b"}, {}));
}

TEST(WordTokenizer, SplitsAtWhiteSpaceAndJoinsWithSpaces) {
  const WordTokenizer tokenizer = toy_source();
  const TokenIds ids = tokenizer.encode("  ich\tmochte ein \r\n bier\v");
  EXPECT_THAT(ids, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(tokenizer.decode(ids), "ich mochte ein bier");
  EXPECT_THAT(tokenizer.encode(" \t"), IsEmpty());
  EXPECT_EQ(tokenizer.decode({}), "");
}

TEST(WordTokenizer, SkipsUnknownWordsIfThereIsNoUnknownToken) {
  std::vector<std::string> unknown;
  EXPECT_THAT(toy_source().encode("ich mochte tee oder tee", &unknown), ElementsAre(1, 2));
  EXPECT_THAT(unknown, ElementsAre("tee", "oder", "tee"));
  EXPECT_EQ(toy_source().special().unk, -1);
  EXPECT_EQ(toy_source().special().eos, -1);
}

TEST(WordTokenizer, EncodesUnknownWordsAsTheUnknownToken) {
  std::vector<std::string> unknown;
  EXPECT_THAT(with_unknown().encode("a z b", &unknown), ElementsAre(4, 3, 5));
  EXPECT_THAT(unknown, ElementsAre("z"));
  EXPECT_THAT(with_unknown().encode("a z b"), ElementsAre(4, 3, 5));
}

TEST(WordTokenizer, NeverEncodesTextAsPaddingBosOrEos) {
  std::vector<std::string> unknown;
  EXPECT_THAT(with_unknown().encode("a </s> <pad> <s> b", &unknown), ElementsAre(4, 3, 3, 3, 5));
  EXPECT_THAT(unknown, ElementsAre("</s>", "<pad>", "<s>"));
  EXPECT_THAT(toy_source().encode("ich P"), ElementsAre(1));
}

TEST(WordTokenizer, DecodeSkipsSpecialTokens) {
  EXPECT_EQ(with_unknown().decode(TokenIds{1, 4, 3, 5, 2, 0, 0}), "a b");
  EXPECT_THROW(with_unknown().decode(TokenIds{6}), std::out_of_range);
}

}  // namespace
}  // namespace tfm
