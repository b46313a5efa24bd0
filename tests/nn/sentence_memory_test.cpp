#include "tfm/nn/sentence_memory.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "close_tensors.h"
#include "tfm/nn/attention.h"

namespace tfm {
namespace {

/// Tests the memory of five sentences of one to five tokens, with two layers and two heads of size
/// 4.
struct SentenceMemoryTest : testing::Test {
  const torch::InferenceMode inference;
  static constexpr int64_t heads = 2;
  // [5, 1, 1, 5]: sentence i has i + 1 tokens
  const torch::Tensor mask = torch::ones({5, 5}, torch::kBool).tril().unsqueeze(1).unsqueeze(1);
  const std::vector<torch::Tensor> layers{torch::randn({5, 5, 16}), torch::randn({5, 5, 16})};
  SentenceMemory memory{mask, 2, heads};
  std::vector<std::int32_t> sentences{0, 1, 2, 3, 4};  // of each row

  SentenceMemoryTest() {
    for (const auto& layer : layers) memory.add_layer(layer);
  }

  void reorder(const std::vector<std::int32_t>& parents) {
    memory.reorder(parents);
    std::vector<std::int32_t> next;
    for (const auto parent : parents) next.push_back(sentences[static_cast<std::size_t>(parent)]);
    sentences = next;
  }

  /// Compares with attention of each row by itself.
  void expect_each_row_attends_to_its_sentence() {
    const auto queries = torch::randn({std::ssize(sentences), 8});
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const auto found = memory.attend(layer, queries);
      torch::Tensor weights;
      expect_close(memory.attend(layer, queries, &weights), found);
      for (int64_t row = 0; row < queries.size(0); ++row) {
        const int64_t sentence = sentences[static_cast<std::size_t>(row)];
        torch::Tensor expected_weights;
        const auto expected = scaled_dot_product_attention(
            split_heads(queries[row].view({1, 1, 8}), heads),
            split_key_values(layers[layer].slice(0, sentence, sentence + 1), heads),
            {.mask = mask.slice(0, sentence, sentence + 1)}, 0, &expected_weights);
        expect_close(found[row], join_heads(expected).flatten());
        expect_close(weights[row], expected_weights.view({heads, 5}));
      }
    }
  }
};

TEST_F(SentenceMemoryTest, EachRowAttendsToItsSentence) {
  expect_each_row_attends_to_its_sentence();
  reorder({0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4});  // a beam
  expect_each_row_attends_to_its_sentence();
  reorder({2, 0, 0, 5, 5, 5, 6, 7, 8, 9, 9, 9, 12, 12, 14});  // a beam whose rows change places
  expect_each_row_attends_to_its_sentence();
}

TEST_F(SentenceMemoryTest, SentencesMayHaveDifferentNumbersOfRowsInAnyOrder) {
  reorder({4, 3, 2, 0, 1});
  expect_each_row_attends_to_its_sentence();
  reorder({0, 3, 3, 1, 3, 4, 2});
  expect_each_row_attends_to_its_sentence();
  reorder({6, 6, 0, 2});  // sentences 2, 2, 4, 0
  expect_each_row_attends_to_its_sentence();
}

TEST_F(SentenceMemoryTest, FreesSentencesWithoutRowsWhenTheyAreHalfOfAll) {
  reorder({0, 2, 4});
  EXPECT_EQ(memory.stored_sentences(), 5);
  expect_each_row_attends_to_its_sentence();
  reorder({2, 2, 1});
  EXPECT_EQ(memory.stored_sentences(), 2);
  expect_each_row_attends_to_its_sentence();
  reorder({2});
  EXPECT_EQ(memory.stored_sentences(), 1);
  expect_each_row_attends_to_its_sentence();
  reorder({});
  EXPECT_EQ(memory.rows(), 0);
}

}  // namespace
}  // namespace tfm
