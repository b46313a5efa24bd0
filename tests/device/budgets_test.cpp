// Limits what an update and a decoding step may ask of the device. Each operation, copy and wait
// costs time on a GPU whatever the size of the model, so their number is the speed of a small
// model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "on_device.h"
#include "test_device.h"
#include "tfm/training/update_step.h"
#include "tfm/translate/translator.h"
#include "translate/random_lines.h"

namespace tfm {
namespace {

/// The upper limits, for a model of two encoder and two decoder layers. They are ratchets: a change
/// that asks less of the device lowers them, and no change may raise them.
struct Budget {
  std::int64_t operations;
  std::int64_t copies_to_device;
  std::int64_t copies_on_device;
  std::int64_t bytes_to_host;
  std::int64_t host_waits;
};
constexpr Budget update_budget{243, 3, 18, 16, 1};
constexpr Budget bf16_update_budget{240, 3, 28, 16, 1};
constexpr Budget rotary_update_budget{299, 3, 30, 16, 1};
// Per decoding step of four sentences. The bytes are those of 7 tokens of each hypothesis (14 with
// a beam of 4) and of their log-probabilities, whatever the size of the vocabulary is.
constexpr std::int64_t token_bytes = 8;
constexpr Budget greedy_budget{33, 1, 3, 4 * 7 * token_bytes, 1};
constexpr Budget beam_budget{34, 2, 3, 16 * 14 * token_bytes, 1};
constexpr Budget bf16_beam_budget{34, 2, 11, 16 * 14 * token_bytes, 1};
constexpr Budget rotary_greedy_budget{41, 1, 3, 4 * 7 * token_bytes, 1};

void expect_within(const DeviceCounts& counts, const Budget& budget) {
  EXPECT_LE(counts.operations, budget.operations);
  EXPECT_LE(counts.copies_to_device, budget.copies_to_device);
  EXPECT_LE(counts.copies_on_device, budget.copies_on_device);
  EXPECT_LE(counts.bytes_to_host, budget.bytes_to_host);
  EXPECT_LE(counts.host_waits, budget.host_waits);
}

/// Returns the counts of an update by Adam of one batch. The first update, which creates tables and
/// gradients, is not counted.
DeviceCounts count_update(const std::function<void(Config&)>& change) {
  auto model = make_small_model(test_device, change);
  const auto corpus = make_corpus(16);
  const ProcessGroup alone;
  Optimizer optimizer(model.config.training, *model.network);
  UpdateStep step(model, optimizer, alone);
  const auto update = [&](std::int64_t begin) {
    std::vector<BatchIndices> batches(1, BatchIndices(8));
    std::iota(batches[0].begin(), batches[0].end(), begin);
    step.run(batches, corpus, 1e-3, 0);
  };
  update(0);
  const auto before = device_counts();
  update(8);
  return device_counts() - before;
}

TEST(UpdateBudget, IsKept) {
  const auto common = [](Config& config) {
    config.model.dropout = 0.1;
    config.training.clip_norm = 1e-3;
    config.training.ema_decay = 0.9;
  };
  {
    SCOPED_TRACE("fp32");
    expect_within(count_update(common), update_budget);
  }
  {
    SCOPED_TRACE("bf16");
    expect_within(count_update([&](Config& config) {
                    common(config);
                    config.training.precision = Precision::bf16;
                  }),
                  bf16_update_budget);
  }
  {
    SCOPED_TRACE("rotary");
    expect_within(count_update([&](Config& config) {
                    common(config);
                    config.model.positions = Positions::rotary;
                  }),
                  rotary_update_budget);
  }
}

DeviceCounts count_translation(TranslationModel& model, std::int64_t length) {
  auto decoding = model.config.decoding;
  decoding.min_length = decoding.max_length = length;
  const Translator translator(model, decoding);
  const std::vector<std::string> lines{"a b c", "d e", "f", "g h i j"};
  const auto before = device_counts();
  translator.translate(lines);
  return device_counts() - before;
}

/// Returns the counts of a decoding step: the difference between translations of 14 tokens and of
/// 10 tokens, divided by four. In these steps no sentence ends, and the keys and values of both
/// translations are enlarged equally often.
DeviceCounts count_step(std::int64_t beam, const std::function<void(Config&)>& change = {}) {
  auto model = make_small_model(test_device, [&](Config& config) {
    config.decoding.beam_size = beam;
    config.data.max_length = 40;
    if (change) change(config);
  });
  count_translation(model, 14);  // makes what is kept for later translations
  const auto longer = count_translation(model, 14);
  const auto difference = longer - count_translation(model, 10);
  return {.operations = (difference.operations + 3) / 4,
          .copies_to_device = (difference.copies_to_device + 3) / 4,
          .copies_to_host = (difference.copies_to_host + 3) / 4,
          .copies_on_device = (difference.copies_on_device + 3) / 4,
          .bytes_to_host = (difference.bytes_to_host + 3) / 4,
          .host_waits = (difference.host_waits + 3) / 4};
}

TEST(DecodingBudget, IsKeptByGreedySearch) { expect_within(count_step(1), greedy_budget); }

TEST(DecodingBudget, IsKeptByBeamSearch) { expect_within(count_step(4), beam_budget); }

TEST(DecodingBudget, IsKeptInBf16) {
  const auto bf16 = [](Config& config) { config.decoding.precision = DecodingPrecision::bf16; };
  expect_within(count_step(4, bf16), bf16_beam_budget);
}

TEST(DecodingBudget, IsKeptWithRotaryPositions) {
  const auto rotary = [](Config& config) { config.model.positions = Positions::rotary; };
  expect_within(count_step(1, rotary), rotary_greedy_budget);
}

}  // namespace
}  // namespace tfm
