#include "tfm/tensor/varlen_attention.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "nn/model_fixture.h"
#include "tfm/nn/attention.h"
#include "tfm/tensor/autocast.h"

namespace tfm {
namespace {

/// Returns ids of sentences with these lengths, padded with 0.
torch::Tensor sentences(const std::vector<int64_t>& lengths) {
  auto padded = torch::zeros(
      {std::ssize(lengths), *std::max_element(lengths.begin(), lengths.end())}, torch::kInt64);
  for (std::size_t i = 0; i < lengths.size(); ++i)
    padded[static_cast<int64_t>(i)].slice(0, 0, lengths[i]).fill_(1);
  return padded;
}

torch::Tensor heads_first(const torch::Tensor& x, int64_t heads) {
  return x.unflatten(-1, {heads, -1}).transpose(1, 2);
}

struct Problem {
  int64_t heads;
  UnpaddedLayout queries;
  UnpaddedLayout memory;
  torch::Tensor memory_mask;
};

Problem problem(int64_t heads, const std::vector<int64_t>& queries,
                const std::vector<int64_t>& memory) {
  const auto layout = [](const std::vector<int64_t>& lengths) {
    return UnpaddedLayout(lengths, std::ranges::max(lengths), 8);
  };
  return {heads, layout(queries), layout(memory), padding_mask(sentences(memory), 0)};
}

/// Runs the reference implementation on padded copies and removes the padding from the result.
torch::Tensor reference(const Problem& p, const torch::Tensor& q, const torch::Tensor& k,
                        const torch::Tensor& v, bool causal) {
  const auto split_padded = [&](const UnpaddedLayout& layout, const torch::Tensor& x) {
    return heads_first(layout.pad(x), p.heads);
  };
  const auto context = scaled_dot_product_attention(
      split_padded(p.queries, q), {split_padded(p.memory, k), split_padded(p.memory, v)},
      AttentionMask{.mask = p.memory_mask, .causal = causal});
  return p.queries.unpad(context.transpose(1, 2).flatten(2));
}

struct Result {
  torch::Tensor context;
  std::vector<torch::Tensor> gradients;
};

template <class Attention>
Result run(const Problem& p, std::vector<torch::Tensor> inputs, const Attention& attention) {
  for (auto& input : inputs) input = input.detach().clone().set_requires_grad(true);
  const auto context = attention(inputs);
  const int64_t real = p.queries.row_offsets().back();
  torch::manual_seed(9);
  const auto weights =
      torch::randn({real, context.size(1)}, torch::kFloat32).to(context.scalar_type());
  (context.slice(0, 0, real) * weights).sum().backward();
  Result result{context.detach().slice(0, 0, real), {}};
  for (const auto& input : inputs) result.gradients.push_back(input.grad());
  return result;
}

void expect_equal(const Result& found, const Result& expected, double tolerance) {
  const auto close = [&](const torch::Tensor& a, const torch::Tensor& b) {
    return torch::allclose(a.to(torch::kFloat64), b.to(torch::kFloat64), tolerance, tolerance);
  };
  EXPECT_TRUE(close(found.context, expected.context))
      << (found.context - expected.context).abs().max();
  for (std::size_t i = 0; i < found.gradients.size(); ++i) {
    EXPECT_TRUE(close(found.gradients[i], expected.gradients[i]))
        << i << ": " << (found.gradients[i] - expected.gradients[i]).abs().max();
  }
}

constexpr double fp32_tolerance = 2e-5;

TEST(VarlenSelfAttention, EqualsTheReferenceOnPaddedCopies) {
  for (const bool causal : {false, true}) {
    for (const int64_t width : {1, 5, 16, 20, 32, 64, 80}) {
      // One sentence is longer than a block of queries, and one is empty.
      const std::vector<int64_t> lengths{3, 1, 17, 0, 100, 48, 7};
      const auto p = problem(3, lengths, lengths);
      torch::manual_seed(width);
      const auto parts = torch::randn({p.queries.positions().size(0), 3 * 3 * width});
      const auto found = run(
          p, {parts}, [&](auto& in) { return varlen_self_attention(in[0], 3, p.queries, causal); });
      const auto expected = run(p, {parts}, [&](auto& in) {
        const auto three = in[0].chunk(3, 1);
        return reference(p, three[0], three[1], three[2], causal);
      });
      expect_equal(found, expected, fp32_tolerance);
    }
  }
}

TEST(VarlenCrossAttention, EqualsTheReferenceOnPaddedCopies) {
  for (const int64_t width : {8, 32}) {
    // one sentence has no keys
    const auto p = problem(2, {3, 60, 1, 5, 0}, {70, 4, 1, 0, 6});
    torch::manual_seed(width);
    const auto queries = torch::randn({p.queries.positions().size(0), 2 * width});
    const auto memory = torch::randn({p.memory.positions().size(0), 2 * 2 * width});
    const auto found = run(p, {queries, memory}, [&](auto& in) {
      return varlen_cross_attention(in[0], in[1], 2, p.queries, p.memory);
    });
    const auto expected = run(p, {queries, memory}, [&](auto& in) {
      const auto two = in[1].chunk(2, 1);
      return reference(p, in[0], two[0], two[1], false);
    });
    expect_equal(found, expected, fp32_tolerance);
  }
}

TEST(VarlenSelfAttention, ReadsAndWritesBf16) {
  const std::vector<int64_t> lengths{9, 20, 1};
  const auto p = problem(2, lengths, lengths);
  torch::manual_seed(4);
  const auto parts = torch::randn({p.queries.positions().size(0), 3 * 2 * 16}).to(torch::kBFloat16);
  const auto attention = [&](auto& in) { return varlen_self_attention(in[0], 2, p.queries, true); };
  const auto found = run(p, {parts}, attention);
  EXPECT_EQ(found.context.scalar_type(), torch::kBFloat16);
  expect_equal(found, run(p, {parts.to(torch::kFloat32)}, attention), 0.02);
}

TEST(VarlenSelfAttention, StaysFiniteForVeryLargeScores) {
  const auto p = problem(1, {20}, {20});
  for (const float size : {1e4F, 1e10F}) {
    const auto parts =
        torch::cat({torch::full({24, 16}, size), torch::linspace(-1, 1, 24 * 16).view({24, 16}),
                    torch::ones({24, 16})},
                   1);
    const auto found =
        run(p, {parts}, [&](auto& in) { return varlen_self_attention(in[0], 1, p.queries, true); });
    EXPECT_TRUE(torch::allclose(found.context, torch::ones({20, 16}))) << found.context;
    EXPECT_TRUE(found.gradients[0].isfinite().all().template item<bool>());
  }
}

/// If attention maps are requested, the model computes with padding. That result is the reference.
TEST(Transformer, GivesTheSameResultsWithAndWithoutPadding) {
  const auto source = ids({{3, 4, 5, 6, 2}, {7, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {8, 9, 2, 0, 0}});
  const auto target = ids({{1, 4, 5}, {1, 0, 0}, {1, 6, 0}, {1, 7, 8}});
  const auto real = target.ne(test_pad).unsqueeze(2);
  for (const auto positions :
       {Positions::sinusoidal, Positions::learned, Positions::by_token, Positions::none}) {
    for (const auto cross : {CrossAttention::top, CrossAttention::layerwise}) {
      auto config = small_config();
      config.positions = positions;
      config.cross_attention = cross;
      config.norm_order = cross == CrossAttention::top ? NormOrder::post : NormOrder::pre;
      auto model = make_model(config);
      const auto compute_gradients = [&](AttentionMaps* maps) {
        model->zero_grad();
        (model->hidden(source, target, maps) * real).pow(2).sum().backward();
        std::vector<torch::Tensor> gradients;
        for (const auto& parameter : model->parameters())
          if (parameter.grad().defined()) gradients.push_back(parameter.grad().clone());
        return gradients;
      };
      AttentionMaps maps;
      EXPECT_TRUE(torch::allclose(model->hidden(source, target) * real,
                                  model->hidden(source, target, &maps) * real, 1e-4, 1e-5));
      const auto found = compute_gradients(nullptr);
      const auto expected = compute_gradients(&maps);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-3, 1e-4)) << i;
    }
  }
}

TEST(Transformer, ComputesHiddenStatesInBf16WithoutPadding) {
  const auto source = ids({{3, 4, 5, 6, 2}, {7, 2, 0, 0, 0}});
  const auto target = ids({{1, 4, 5}, {1, 0, 0}});
  const auto real = target.ne(test_pad).unsqueeze(2);
  auto model = make_model(small_config());
  const auto expected = model->hidden(source, target) * real;
  WeightCasts casts;
  const auto found = model->hidden(source, target, nullptr, {}, {.casts = &casts}) * real;
  EXPECT_TRUE(torch::allclose(found, expected, 0.05, 0.05));
  EXPECT_FALSE(found.equal(expected)) << "not computed in bf16";
}

}  // namespace
}  // namespace tfm
