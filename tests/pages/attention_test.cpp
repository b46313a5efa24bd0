#include "tfm/pages/attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "sample.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

SentenceAttention sentence() { return made_up_sentence({"▁ein", "▁Haus"}, {"▁a", "▁house"}); }

TEST(AttentionWeights, AtReadsRowMajorOrder) {
  AttentionWeights weights{2, 3, 4, 5, {}};
  for (int i = 0; i < 2 * 3 * 4 * 5; ++i) weights.values.push_back(static_cast<float>(i));
  EXPECT_EQ(weights.at(0, 0, 0, 0), 0);
  EXPECT_EQ(weights.at(0, 0, 1, 2), 7);
  EXPECT_EQ(weights.at(1, 2, 3, 4), 119);
  EXPECT_EQ(weights.at(1, 0, 2, 1), 71);
}

TEST(SentenceAttention, RejectsTokensThatDoNotMatchTheShapes) {
  for (const auto tokens : {&SentenceAttention::source, &SentenceAttention::target_input,
                            &SentenceAttention::target_output}) {
    SentenceAttention wrong = sentence();
    (wrong.*tokens).push_back("one too many");
    EXPECT_THROW(attention_json({wrong}), std::invalid_argument);
    EXPECT_THROW(attention_html({wrong}, {}, ""), std::invalid_argument);
    EXPECT_THROW(attention_svg(wrong, {}), std::invalid_argument);
  }
}

TEST(SentenceAttention, RejectsAShapeThatDoesNotMatchTheValues) {
  SentenceAttention wrong = sentence();
  wrong.decoder.values.pop_back();
  EXPECT_THROW(attention_json({wrong}), std::invalid_argument);
  wrong = sentence();
  wrong.encoder = AttentionWeights{0, 3, 3, 3, {}};
  EXPECT_THROW(attention_json({wrong}), std::invalid_argument);
}

TEST(SentenceAttention, ErrorNamesTheKindOfAttentionWithANonFiniteWeight) {
  SentenceAttention broken = sentence();
  broken.encoder.values[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message_of<ModelError>([&] { attention_svg(broken, {}); }), HasSubstr("encoder"));
}

TEST(AttentionSelection, ErrorStatesTheNumbersOfLayersAndHeads) {
  const std::string message =
      message_of<ConfigError>([] { attention_svg(sentence(), {2, std::nullopt}); });
  EXPECT_THAT(message, HasSubstr("no layer 2"));
  EXPECT_THAT(message, HasSubstr("2 layers and 3 heads"));
  EXPECT_THAT(message_of<ConfigError>([] { attention_html({sentence()}, {std::nullopt, 3}, ""); }),
              HasSubstr("head 3"));
  EXPECT_THROW(attention_svg(sentence(), {-1, std::nullopt}), ConfigError);
}

}  // namespace
}  // namespace tfm
