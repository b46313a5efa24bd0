#include "tfm/training/micro_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <numeric>

#include "nn/model_fixture.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/core/out_of_memory.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RetryInMicroBatches : public testing::Test {
 protected:
  RetryInMicroBatches() {
    for (std::int64_t i = 0; i < 7; ++i) {
      corpus.examples.push_back(
          {TokenIds(static_cast<std::size_t>(1 + i % 3), 3 + static_cast<TokenId>(i)),
           TokenIds{5, 6}, 100 + i});
    }
  }
  SliceBatch cut = [this](const Batch& batch, std::size_t begin, std::size_t end) {
    return slice_rows(batch, begin, end, {special, special});
  };
  Batch make(std::span<const std::int64_t> indices) const {
    return collate(corpus, indices, {special, special});
  }
  Batch whole() const {
    std::vector<std::int64_t> all(corpus.examples.size());
    std::iota(all.begin(), all.end(), 0);
    return make(all);
  }

  SpecialTokens special{.pad = 0, .bos = 1, .eos = 2, .unk = 1};
  Corpus corpus;
};

/// Runs out of memory for parts of more than `most` pairs, and records the parts that fitted.
struct Memory {
  std::size_t most;
  std::vector<std::vector<std::int64_t>> done;
  int attempts = 0;

  void operator()(const std::vector<Batch>& parts, std::size_t& at) {
    ++attempts;
    done.clear();
    for (at = 0; at < parts.size(); ++at) {
      if (parts[at].indices.size() > most) throw std::bad_alloc();
      done.push_back(parts[at].indices);
    }
  }
};

TEST_F(RetryInMicroBatches, DoesNotSplitBatchesThatFit) {
  Memory memory{7, {}};
  retry_in_micro_batches({whole()}, cut, std::ref(memory));
  EXPECT_EQ(memory.attempts, 1);
  EXPECT_THAT(memory.done, ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6)));
}

TEST_F(RetryInMicroBatches, HalvesPartsUntilTheyFit) {
  Memory memory{2, {}};
  retry_in_micro_batches({whole()}, cut, std::ref(memory));
  EXPECT_THAT(memory.done,
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6)));
  EXPECT_EQ(memory.attempts, 3) << "one retry halves all parts of similar size";
}

TEST_F(RetryInMicroBatches, DoesNotSplitBatchesMuchSmallerThanTheFailedOne) {
  Memory memory{4, {}};
  const std::vector<std::int64_t> few{1, 2};
  retry_in_micro_batches({make(few), whole()}, cut, std::ref(memory));
  EXPECT_THAT(memory.done,
              ElementsAre(ElementsAre(1, 2), ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6)));
}

TEST_F(RetryInMicroBatches, NamesThePairThatDoesNotFitByItself) {
  Memory memory{0, {}};
  const auto message =
      message_of<ModelError>([&] { retry_in_micro_batches({whole()}, cut, std::ref(memory)); });
  EXPECT_THAT(message, HasSubstr("the pair of line 100 does not fit by itself"));
  EXPECT_EQ(memory.attempts, 4);  // with parts of 7, 4, 2 and 1 pairs
}

TEST_F(RetryInMicroBatches, RethrowsOtherErrors) {
  int attempts = 0;
  EXPECT_THROW(retry_in_micro_batches({whole()}, cut,
                                      [&](const auto&, auto&) {
                                        ++attempts;
                                        throw DataError("", "something else");
                                      }),
               DataError);
  EXPECT_EQ(attempts, 1);
}

TEST_F(RetryInMicroBatches, DoesNotChangeTheGradient) {
  auto model = make_model(small_config());
  const auto backward = [&](const Batch& batch) {
    const auto logits = model(batch.source, batch.target_input);
    const auto loss =
        torch::log_softmax(logits, -1).gather(2, batch.target_output.unsqueeze(2)).squeeze(2);
    (-loss * batch.target_output.ne(special.pad)).sum().backward();
  };
  backward(whole());
  std::vector<torch::Tensor> expected;
  for (const auto& parameter : model->parameters()) expected.push_back(parameter.grad().clone());
  retry_in_micro_batches({whole()}, cut, [&](const std::vector<Batch>& parts, std::size_t& at) {
    model->zero_grad();
    for (at = 0; at < parts.size(); ++at) {
      backward(parts[at]);  // leaves a gradient behind before memory "runs out"
      if (parts[at].indices.size() > 2) throw std::bad_alloc();
    }
  });
  const auto parameters = model->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    EXPECT_TRUE(parameters[i].grad().allclose(expected[i], 1e-4, 1e-5)) << i;
}

TEST(IsOutOfMemory, ReturnsTrueForFailedAllocationsAndFalseForOtherErrors) {
  constexpr std::int64_t too_much = std::int64_t{1} << 46;  // 2^48 bytes in fp32
  try {
    torch::empty({too_much});
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_TRUE(is_out_of_memory(error)) << error.what();
  }
  EXPECT_TRUE(is_out_of_memory(std::bad_alloc()));
  try {
    torch::ones({2}) + torch::ones({3});
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_FALSE(is_out_of_memory(error)) << error.what();
  }
}

}  // namespace
}  // namespace tfm
