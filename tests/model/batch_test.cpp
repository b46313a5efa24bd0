#include "tfm/model/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;

torch::Tensor table(std::initializer_list<std::int64_t> values, std::int64_t rows) {
  return torch::tensor(std::vector<std::int64_t>(values), torch::kInt64).view({rows, -1});
}

Corpus three_pairs() {
  Corpus corpus;
  corpus.examples = {{{10, 11, 2}, {20}}, {{12, 2}, {21, 22, 23}}, {{13, 14, 15, 2}, {24, 25}}};
  return corpus;
}

const SpecialTokens source{7, 1, 2, 3};
const SpecialTokens target{9, 4, 5, 6};

TEST(PadSequences, PadsShortRowsAtTheEnd) {
  const std::vector<TokenIds> rows = {{1, 2, 3}, {}, {4}};
  const auto padded = pad_sequences(rows, 9);
  EXPECT_EQ(padded.scalar_type(), torch::kInt64);
  EXPECT_TRUE(torch::equal(padded, table({1, 2, 3, 9, 9, 9, 4, 9, 9}, 3))) << padded;
}

TEST(Collate, StartsTheTargetInputWithBosAndEndsTheTargetOutputWithEos) {
  const std::vector<std::int64_t> indices = {2, 1};
  const Batch batch = collate(three_pairs(), indices, {source, target});
  EXPECT_TRUE(torch::equal(batch.source, table({13, 14, 15, 2, 12, 2, 7, 7}, 2))) << batch.source;
  EXPECT_TRUE(torch::equal(batch.target_input, table({4, 24, 25, 9, 4, 21, 22, 23}, 2)))
      << batch.target_input;
  EXPECT_TRUE(torch::equal(batch.target_output, table({24, 25, 5, 9, 21, 22, 23, 5}, 2)))
      << batch.target_output;
}

TEST(DescribeLines, ListsTheLineNumbersOfABatch) {
  Corpus corpus;
  for (const std::int64_t line : {40, 39, 38})
    corpus.examples.push_back({.source = {10}, .target = {20}, .line = line});
  const std::vector<std::int64_t> indices = {0, 2};
  EXPECT_EQ(describe_lines(collate(corpus, indices, {source, target})), "lines 38, 40");
  Batch many;
  for (std::int64_t line = 1; line <= 12; ++line) many.lines.push_back(line);
  EXPECT_EQ(describe_lines(many), "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
  many.lines = {7};
  EXPECT_EQ(describe_lines(many), "line 7");
}

TEST(DescribeLines, NamesTheSetOfEachLine) {
  Corpus corpus;
  for (const std::int64_t line : {7, 9, 8, 7})
    corpus.examples.push_back({.source = {10}, .target = {20}, .line = line});
  corpus.sets = {{"talks", 0, 2}, {"news", 2, 4}};
  const std::vector<std::int64_t> indices = {1, 2, 0, 3};
  const CollateOptions format{source, target};
  const auto batch = collate(corpus, indices, format);
  EXPECT_EQ(describe_lines(batch), "lines news:7, news:8, talks:7, talks:9");
  EXPECT_EQ(describe_lines(slice_rows(batch, 1, 2, format)), "line news:8");
}

TEST(Collate, KeepsTheIndicesOfTheExamples) {
  const std::vector<std::int64_t> indices = {2, 0};
  EXPECT_THAT(collate(three_pairs(), indices, {source, target}).indices, ElementsAre(2, 0));
}

TEST(Collate, CountsTokensWithoutPadding) {
  const std::vector<std::int64_t> indices = {0, 1, 2};
  const Batch batch = collate(three_pairs(), indices, {source, target});
  EXPECT_EQ(batch.source_tokens, (batch.source != source.pad).sum().item<std::int64_t>());
  EXPECT_EQ(batch.target_tokens, (batch.target_output != target.pad).sum().item<std::int64_t>());
  EXPECT_EQ(batch.source_tokens, 9);
  EXPECT_EQ(batch.target_tokens, 9);
}

TEST(Batch, MovesItsTensorsToADeviceAndKeepsTheOtherFields) {
  const std::vector<std::int64_t> indices = {1};
  const Batch batch = collate(three_pairs(), indices, {source, target});
  const Batch moved = batch.to(torch::kMeta);  // a device that exists on every machine
  for (const auto& tensor : {moved.source, moved.target_input, moved.target_output})
    EXPECT_EQ(tensor.device(), torch::Device(torch::kMeta));
  EXPECT_EQ(moved.indices, batch.indices);
  EXPECT_EQ(moved.target_tokens, batch.target_tokens);
}

TEST(Collate, PadsToTheFixedLength) {
  const std::vector<std::int64_t> indices = {1};
  const Batch batch = collate(three_pairs(), indices, {source, target, 6});
  EXPECT_TRUE(torch::equal(batch.source, table({12, 2, 7, 7, 7, 7}, 1))) << batch.source;
  EXPECT_TRUE(torch::equal(batch.target_output, table({21, 22, 23, 5, 9, 9}, 1)))
      << batch.target_output;
  EXPECT_EQ(batch.target_tokens, 4) << "padding does not count";
}

TEST(Collate, HasWeightsIfTheCorpusHasSome) {
  auto corpus = three_pairs();
  const std::vector<std::int64_t> indices = {2, 0};
  EXPECT_FALSE(collate(corpus, indices, {source, target}).weights.defined());
  corpus.weights = {{0, 1, PairWeights(0.5)}, {2, 3, PairWeights(3)}};
  const auto batch = collate(corpus, indices, {source, target});
  EXPECT_TRUE(batch.weights.equal(torch::tensor({3.0F, 0.5F}))) << batch.weights;
  EXPECT_EQ(corpus.weight(1, 1), 1);
  EXPECT_EQ(batch.to(torch::kMeta).weights.device(), torch::Device(torch::kMeta));
  EXPECT_TRUE(slice_rows(batch, 1, 2, {source, target}).weights.equal(torch::tensor({0.5F})));
}

TEST(SliceRows, EqualsCollatingOnlyTheSelectedExamples) {
  const auto corpus = three_pairs();
  const std::vector<std::int64_t> all{0, 1, 2};
  for (const std::int64_t fixed : {0, 6}) {
    const CollateOptions format{source, target, fixed};
    const auto batch = collate(corpus, all, format);
    for (std::size_t begin = 0; begin < 3; ++begin) {
      for (std::size_t end = begin + 1; end <= 3; ++end) {
        const auto part = slice_rows(batch, begin, end, format);
        const auto expected = collate(corpus, std::span(all).subspan(begin, end - begin), format);
        EXPECT_TRUE(part.source.equal(expected.source)) << begin << " " << end;
        EXPECT_TRUE(part.target_output.equal(expected.target_output)) << begin << " " << end;
        EXPECT_EQ(part.target_input.size(1), expected.target_input.size(1));
        EXPECT_EQ(part.indices, expected.indices);
        EXPECT_EQ(part.lines, expected.lines);
        EXPECT_EQ(part.source_tokens, expected.source_tokens);
        EXPECT_EQ(part.target_tokens, expected.target_tokens);
      }
    }
  }
}

}  // namespace
}  // namespace tfm
