// Tests how the rows of a cache are dropped, repeated and reordered while a Transformer decodes.
#include <gtest/gtest.h>

#include <random>

#include "close_tensors.h"
#include "model_fixture.h"

namespace tfm {
namespace {

TEST(Transformer, NoSentenceCanJoinAContiguousCache) {
  auto model = make_model(small_config());
  const auto cache = model->begin_decoding(ids({{3, 2}}), {.contiguous = true});
  EXPECT_FALSE(cache->can_join());
  EXPECT_THROW(model->join(ids({{4, 2}}), *cache), std::logic_error);
}

TEST(Transformer, EncodesALargeBatchInPartsWithEqualResults) {
  auto model = make_model(small_config());
  // 2640 tokens; some sentences are short, and one is empty
  auto source = torch::randint(3, test_vocab, {60, 50}, torch::kInt64);
  source.slice(0, 7, 15).slice(1, 5).fill_(0);
  source[20].fill_(0);
  const torch::InferenceMode inference;
  const auto in_parts = model->begin_decoding(source);
  const auto at_once = model->begin_decoding(source, {.contiguous = true});
  ASSERT_EQ(in_parts->rows(), 60);
  for (int step = 0; step < 3; ++step) {
    const auto tokens = torch::randint(3, test_vocab, {60}, torch::kInt64);
    expect_close(model->step(tokens, *in_parts), model->step(tokens, *at_once));
  }
}

/// Drops, repeats and reorders rows, as beam search does. In each step, the logits of a row must
/// equal those of a forward pass over all tokens of the row.
void expect_rows_keep_their_history(const KvCacheOptions& options) {
  auto model = make_model(small_config());
  const auto source = ids({{3, 4, 2}, {5, 6, 2}, {7, 2, 0}});
  std::mt19937 random(1);
  std::vector<int32_t> sentences{0, 1, 2};
  std::vector<std::vector<int64_t>> paths{{1}, {1}, {1}};
  const torch::InferenceMode inference;
  const auto cache = model->begin_decoding(source, options);
  // A contiguous cache must grow once, because it first allocates 16 positions.
  for (int step = 0; step < 20; ++step) {
    ASSERT_EQ(cache->rows(), std::ssize(paths));
    ASSERT_EQ(cache->positions(), step);
    std::vector<int64_t> newest;
    std::vector<torch::Tensor> sources, targets;
    for (std::size_t row = 0; row < paths.size(); ++row) {
      newest.push_back(paths[row].back());
      sources.push_back(source[sentences[row]]);
      targets.push_back(torch::tensor(paths[row], torch::kInt64));
    }
    const auto logits = model->step(torch::tensor(newest, torch::kInt64), *cache);
    expect_close(logits, model(torch::stack(sources), torch::stack(targets)).select(1, step));
    const std::size_t rows = 1 + random() % 6;
    std::vector<int32_t> parents;
    std::vector<int32_t> next_sentences;
    std::vector<std::vector<int64_t>> next_paths;
    for (std::size_t row = 0; row < rows; ++row) {
      parents.push_back(static_cast<int32_t>(random() % paths.size()));
      next_sentences.push_back(sentences[static_cast<std::size_t>(parents.back())]);
      next_paths.push_back(paths[static_cast<std::size_t>(parents.back())]);
      next_paths.back().push_back(3 + static_cast<int64_t>(random() % 8));
    }
    cache->reorder(parents);
    sentences = next_sentences;
    paths = next_paths;
  }
}

TEST(Transformer, ReorderedCacheRowsKeepTheirHistory) {
  expect_rows_keep_their_history({});
  expect_rows_keep_their_history({.contiguous = true});
  expect_rows_keep_their_history({.keeps_attention = true});
}

TEST(Transformer, CacheReturnsTheMeanCrossAttentionIfConfigured) {
  auto model = make_model(small_config());
  const auto source = ids({{3, 4, 2}, {5, 6, 2}, {7, 2, 0}});
  const auto target = ids({{1, 5}, {1, 6}, {1, 7}});
  AttentionMaps maps;
  model(source, target, &maps);
  // [layers, B, H, T, S] -> [B, T, S]
  const auto expected = torch::stack(maps.decoder.cross_attention).mean(c10::IntArrayRef{0, 2});
  const torch::InferenceMode inference;
  const auto cache = model->begin_decoding(source, {.keeps_attention = true});
  for (int64_t t = 0; t < target.size(1); ++t) {
    model->step(target.select(1, t), *cache);
    expect_close(cache->mean_attention(), expected.select(1, t));
  }
  const auto plain = model->begin_decoding(source);
  model->step(target.select(1, 0), *plain);
  EXPECT_FALSE(plain->mean_attention().defined());
}

}  // namespace
}  // namespace tfm
