#include "tfm/model/token_log_probs.h"

#include <gtest/gtest.h>

#include "tfm/nn/evaluation_mode.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

class TokenLogProbs : public testing::Test {
 protected:
  TokenLogProbs() {
    for (const char* text : {"a", "b c d", "e a b c"}) {
      const auto ids = model.tokenizers.target->encode(text);
      corpus.examples.push_back({.source = ids, .target = ids});
    }
  }

  const torch::NoGradGuard no_grad;
  TranslationModel model = tiny_model();
  Corpus corpus;
  std::vector<std::int64_t> indices{0, 1, 2};
};

/// The reference is the log-softmax of the whole forward pass, one sentence at a time.
TEST_F(TokenLogProbs, EqualTheLogSoftmaxOfAForwardPassPerSentence) {
  const EvalModeGuard evaluation(*model.network);
  const auto found = token_log_probs(model, make_forced_batch(corpus, indices, model.tokenizers));
  std::vector<torch::Tensor> expected;
  for (const std::int64_t index : indices) {
    const auto one = make_forced_batch(corpus, std::vector{index}, model.tokenizers);
    const auto logits = model.network->forward(one.source, one.target_input)[0];  // [T, V]
    expected.push_back(
        torch::log_softmax(logits, -1).gather(1, one.targets.unsqueeze(1)).squeeze(1));
  }
  EXPECT_EQ(found.numel(), 1 + 3 + 4 + 3) << "each sentence ends with eos";
  EXPECT_TRUE(found.allclose(torch::cat(expected), 1e-5, 1e-6));
}

TEST_F(TokenLogProbs, ForcedBatchKeepsTargetTokensThatHaveTheIdOfPadding) {
  const auto pad = model.tokenizers.target->special().pad;
  Corpus padded;
  padded.examples.push_back({.source = corpus.examples[0].source, .target = {pad, pad}});
  const auto batch = make_forced_batch(padded, std::vector<std::int64_t>{0}, model.tokenizers);
  EXPECT_EQ(batch.targets.numel(), 3);
  EXPECT_EQ(batch.targets[0].item<std::int64_t>(), pad);
}

}  // namespace
}  // namespace tfm
