#include "tfm/translate/unknown_word_replacer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Builds a candidate with a given target text and alignment.
Candidate candidate_of(const TokenizerPair& tokenizers, const std::string& source,
                       const std::string& target, WordAlignment alignment) {
  Candidate candidate;
  EncodedPair part;
  part.source.ids = tokenizers.source->encode(source);
  part.target = tokenizers.target->encode(target);
  candidate.parts.push_back(std::move(part));
  candidate.alignment = std::move(alignment);
  return candidate;
}

class UnknownWordReplacerTest : public testing::Test {
 protected:
  UnknownWordReplacerTest() {
    TokenizerConfig config;
    config.kind = TokenizerKind::word;
    config.joint = false;
    tokenizers_ = build_tokenizers(config, {"ich heisse"}, {"my name is ."});
  }

  std::string replaced(const std::string& source, const std::string& target,
                       const WordAlignment& alignment,
                       const UnknownWordReplacer& unknown = UnknownWordReplacer{}) {
    auto words =
        target_words(tokenizers_, source, candidate_of(tokenizers_, source, target, alignment));
    unknown.replace(words, source);
    return join_words(words);
  }

  TokenizerPair tokenizers_;
  TemporaryFolder folder_;
};

TEST_F(UnknownWordReplacerTest, ReplacesUnknownWordsByTheirAlignedSourceWords) {
  EXPECT_EQ(replaced("ich heisse Zork", "my name is ???", {{0, 0}, {1, 1}, {1, 2}, {2, 3}}),
            "my name is Zork");
  EXPECT_EQ(replaced("Zork heisse Mork", "??? is ???", {{2, 0}, {1, 1}, {0, 2}}), "Mork is Zork");
}

TEST_F(UnknownWordReplacerTest, DropsUnknownWordsWithoutAlignment) {
  EXPECT_EQ(replaced("ich Zork", "my ??? .", {{0, 0}, {1, 2}}), "my .");
}

TEST_F(UnknownWordReplacerTest, KeepsKnownWords) {
  EXPECT_EQ(replaced("ich Zork", "my name", {{1, 0}, {1, 1}}), "my name");
}

TEST_F(UnknownWordReplacerTest, UsesTheDictionaryBeforeTheSourceWord) {
  const UnknownWordReplacer unknown(
      folder_.write("words.tsv", "M\xC3\xBCnchen\tMunich\n\nWien\tthe city of Vienna\n"));
  EXPECT_EQ(
      replaced("ich M\xC3\xBCnchen Wien Graz", "??? ??? ???", {{1, 0}, {2, 1}, {3, 2}}, unknown),
      "Munich the city of Vienna Graz");
}

TEST_F(UnknownWordReplacerTest, ThrowsWhenADictionaryLineIsMalformed) {
  const auto refused = [&](const std::string& text) {
    const auto file = folder_.write("words.tsv", text);
    return message_of<DataError>([&] { UnknownWordReplacer unknown(file); });
  };
  EXPECT_THAT(refused("a\tb\nno entry\n"), HasSubstr("words.tsv:2"));
  EXPECT_THAT(refused("a\tb\tc\n"), HasSubstr("words.tsv:1"));
  EXPECT_THAT(refused("\tb\n"), HasSubstr("words.tsv:1"));
  EXPECT_THROW(UnknownWordReplacer("there/is/none"), DataError);
}

TEST(TargetWords, NumbersSourceWordsByWhiteSpaceEvenIfAWordHasNoTokens) {
  TokenizerConfig config;
  config.kind = TokenizerKind::word;
  config.joint = false;
  config.unk_token = "";  // source words outside the vocabulary then have no tokens
  const auto tokenizers = build_tokenizers(config, {"ein bier"}, {"a beer"});
  const auto words =
      target_words(tokenizers, "ein kaltes bier",
                   candidate_of(tokenizers, "ein kaltes bier", "a beer", {{0, 0}, {1, 1}}));
  EXPECT_THAT(source_word_ids(words), ElementsAre(0, 2));
}

TEST(TargetWords, NumbersWordsAcrossTheSegmentsOfALongLine) {
  const auto model = tiny_model();
  auto candidate = candidate_of(model.tokenizers, "a b", "c d", {{0, 0}, {1, 1}, {2, 2}});
  candidate.parts.push_back(candidate_of(model.tokenizers, "e", "f", {}).parts.front());
  const auto words = target_words(model.tokenizers, "a b e", candidate);
  EXPECT_EQ(join_words(words), "c d f");
  EXPECT_THAT(source_word_ids(words), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace tfm
