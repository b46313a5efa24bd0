#include "tfm/translate/word_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tiny_model.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// Returns tokenizers of words without an unknown token: words outside the vocabulary are dropped.
TokenizerPair forgetful_tokenizers() {
  TokenizerConfig config;
  config.kind = TokenizerKind::word;
  config.joint = false;
  config.unk_token = "";
  return build_tokenizers(config, {"ein bier"}, {"a beer"});
}

TEST(TextLinks, NumberTheWordsOfBothTextsByWhiteSpace) {
  const auto tokenizers = forgetful_tokenizers();
  const auto source = text_word_ids(*tokenizers.source, "ein kaltes bier");
  const auto target = text_word_ids(*tokenizers.target, "oh a beer");
  EXPECT_THAT(source, ElementsAre(0, 2));
  EXPECT_THAT(target, ElementsAre(1, 2));
  EXPECT_EQ(text_links({{0, 0}, {1, 1}}, source, target), (WordAlignment{{0, 1}, {2, 2}}));
  EXPECT_EQ(text_links({{9, 0}, {8, 0}}, source, target), (WordAlignment{{2, 1}}))
      << "words beyond the end belong to the last one, and links are not repeated";
  EXPECT_EQ(text_links({{0, 0}}, {}, target), WordAlignment());
}

TEST(TextLinks, NumberEveryWordOfAReplacedWord) {
  EXPECT_EQ(text_links({{.text = "Munich", .source = 1},
                        {.text = "the city", .source = 0},
                        {.text = "", .source = 2},
                        {.text = "is", .source = -1},
                        {.text = "big", .source = 0}}),
            (WordAlignment{{0, 1}, {0, 2}, {0, 4}, {1, 0}}));
}

TEST(TargetWords, JoinTheWordWithinWhichASegmentStarts) {
  const auto model = tiny_model();
  const auto part = [&](const std::string& source, const std::string& target) {
    EncodedPair pair;
    pair.source.ids = model.tokenizers.source->encode(source);
    pair.target = model.tokenizers.target->encode(target);
    return pair;
  };
  Candidate candidate;
  candidate.parts = {part("a b", "c d"), part("e", "f g")};
  candidate.parts.back().no_space_before_target = true;
  candidate.alignment = {{0, 0}, {2, 1}, {1, 2}};
  candidate.token_log_probs = {-1, -2, -4, -8};
  const auto words = target_words(model.tokenizers, "a b e", candidate);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[1].text, "df");
  EXPECT_EQ(words[1].log_prob, -6);
  EXPECT_EQ(words[2].text, "g");
  EXPECT_THAT(source_word_ids(words), ElementsAre(0, 2, 1));
}

}  // namespace
}  // namespace tfm
