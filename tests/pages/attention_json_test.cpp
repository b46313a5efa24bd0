#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample.h"

namespace tfm {
namespace {

using nlohmann::json;

const std::vector<std::string> strange = {
    "</script><b>", "\"&'", "👩‍👩‍👧‍👦", "مرحبا", "漢字", "tab\there", "\\"};

/// Checks that a JSON array [layers, heads, rows, columns] contains exactly these weights.
void expect_equal(const json& array, const AttentionWeights& weights) {
  ASSERT_EQ(array.size(), static_cast<std::size_t>(weights.layers));
  for (std::int64_t l = 0; l < weights.layers; ++l) {
    ASSERT_EQ(array[l].size(), static_cast<std::size_t>(weights.heads));
    for (std::int64_t h = 0; h < weights.heads; ++h) {
      ASSERT_EQ(array[l][h].size(), static_cast<std::size_t>(weights.rows));
      for (std::int64_t t = 0; t < weights.rows; ++t) {
        ASSERT_EQ(array[l][h][t].size(), static_cast<std::size_t>(weights.columns));
        for (std::int64_t s = 0; s < weights.columns; ++s)
          EXPECT_EQ(array[l][h][t][s].get<float>(), weights.at(l, h, t, s));
      }
    }
  }
}

TEST(AttentionJson, KeepsTokensAndFloatsExactly) {
  const SentenceAttention sentence = made_up_sentence(strange, {"a", "b"});
  const json document = json::parse(attention_json({sentence, made_up_sentence({"x"}, {})}));
  EXPECT_EQ(document["format"], "tfm attention");
  EXPECT_EQ(document["version"], 1);
  EXPECT_EQ(document["shapes"]["cross"], "[L, H, T, S]");
  ASSERT_EQ(document["sentences"].size(), 2u);
  const json& first = document["sentences"][0];
  EXPECT_EQ(first["source"].get<std::vector<std::string>>(), sentence.source);
  EXPECT_EQ(first["target_input"].get<std::vector<std::string>>(), sentence.target_input);
  EXPECT_EQ(first["target_output"].get<std::vector<std::string>>(), sentence.target_output);
  EXPECT_EQ(first["source_text"], sentence.source_text);
  EXPECT_EQ(first["target_text"], sentence.target_text);
  expect_equal(first["encoder"], sentence.encoder);
  expect_equal(first["decoder"], sentence.decoder);
  expect_equal(first["cross"], sentence.cross);
}

TEST(AttentionJson, ReplacesInvalidUtf8) {
  const json document = json::parse(attention_json({made_up_sentence({"a\xff", "\xe2\x96"}, {})}));
  EXPECT_EQ(document["sentences"][0]["source"][0], "a\uFFFD");
  EXPECT_EQ(document["sentences"][0]["source"][1], "\uFFFD");
}

TEST(AttentionJson, ContainsAnEmptyListIfThereAreNoSentences) {
  EXPECT_EQ(json::parse(attention_json({}))["sentences"], json::array());
}

}  // namespace
}  // namespace tfm
