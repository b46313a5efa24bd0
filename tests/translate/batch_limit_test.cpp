#include "tfm/translate/batch_limit.h"

#include <gtest/gtest.h>

#include "tiny_model.h"

namespace tfm {
namespace {

constexpr BatchLimit cpu_limit{BatchType::tokens, 4096};

TEST(BatchLimit, IsThatOfTheConfig) {
  DecodingConfig decoding;
  decoding.batch_type = BatchType::sentences;
  decoding.batch_size = 7;
  auto model = tiny_model();
  EXPECT_EQ(batch_limit(decoding), (BatchLimit{BatchType::sentences, 7}));
  EXPECT_EQ(batch_limit(decoding, {&model}), (BatchLimit{BatchType::sentences, 7}));
}

TEST(BatchLimit, IsTheSameForEveryModelOnTheCpuIfItIsAutomatic) {
  DecodingConfig decoding;
  auto model = tiny_model();
  EXPECT_EQ(batch_limit(decoding), cpu_limit);
  EXPECT_EQ(batch_limit(decoding, {&model}), cpu_limit);
  decoding.batch_type = BatchType::sentences;
  EXPECT_EQ(batch_limit(decoding), (BatchLimit{BatchType::sentences, 128}));
}

// base with a vocabulary of 32,000 and four hypotheses, counted by hand
TEST(DecodingBytesPerToken, CountsActivationsCachesAndLogits) {
  ModelConfig base;
  base.decoder_layers = 6;
  base.hidden_size = 512;
  base.heads = 8;
  base.head_size = 0;
  base.transformer_ff = 2048;
  const double encoder = 4 * 512 + 3 * 512 + 2048;
  const double key_values = 2 * 512 * 6;
  const double logits = 3.0 * 4 * 32000 / 16;
  EXPECT_DOUBLE_EQ(decoding_bytes_per_token(base, 32000, 4),
                   4 * (encoder + 9 * key_values + logits));
}

TEST(TokensForMemory, UsesHalfOfTheMemoryWithinLimits) {
  EXPECT_EQ(tokens_for_memory(20000.0 * 1000, 1000), 10000);
  EXPECT_EQ(tokens_for_memory(0, 1000), 4096) << "as on the CPU; halves that fit are tried then";
  EXPECT_EQ(tokens_for_memory(1e15, 1000), 65536);
}

}  // namespace
}  // namespace tfm
