// Benchmarks expensive operations, most of them tfm's own, at the shapes of the tiny, small and
// base models. Some have a LibTorch version for comparison. The forward and the backward pass are
// timed together, in fp32, with LibTorch's default number of threads (OMP_NUM_THREADS). The matrix
// multiplications of translation (BatchInvariantGemm, LibTorchLinear) are timed in the forward pass
// only.
//
//   build/release/tfm_bench_ops --benchmark_filter=Dropout
//
// items_per_second counts the tokens of the batch. For dropout it counts elements, for Adam
// parameters, and for matrix multiplications multiply-adds.
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/types.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cmath>
#include <vector>

#include "kernels/cpu_features.h"
#include "tfm/losses/cross_entropy.h"
#include "tfm/losses/linear_cross_entropy.h"
#include "tfm/nn/attention.h"
#include "tfm/nn/norm.h"
#include "tfm/nn/transformer.h"
#include "tfm/optim/optimizer.h"
#include "tfm/tensor/batch_invariant_gemm.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/dropout.h"
#include "tfm/tensor/int8_gemm.h"
#include "tfm/tensor/runtime.h"

namespace {

using benchmark::State;
using torch::Tensor;

// A batch of 4096 tokens, in sentences of Multi30k's mean length.
constexpr int64_t batch = 256;
constexpr int64_t length = 16;
constexpr int64_t tokens = batch * length;
constexpr int64_t vocab_size = 10000;
constexpr double probability = 0.1;

tfm::ModelConfig model_config(const State& state) {
  tfm::ModelConfig config;
  config.hidden_size = state.range(0);
  config.transformer_ff = state.range(1);
  config.heads = state.range(2);
  config.encoder_layers = config.decoder_layers = state.range(3);
  config.dropout = probability;
  config.tied_embeddings = tfm::TiedEmbeddings::all;
  return config;
}

/// Adds the hidden size, feed-forward size, heads and layers of bench/train_{tiny,small,base}.yaml.
void model_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"width", "ff", "heads", "layers"})
      ->Args({128, 256, 4, 4})
      ->Args({256, 1024, 8, 3})
      ->Args({512, 2048, 8, 6});
  benchmark->Unit(benchmark::kMillisecond)->UseRealTime();
}

Tensor leaf(at::IntArrayRef shape) { return torch::randn(shape).requires_grad_(); }

/// Times forward() and the backward pass from its result. Each iteration counts as `items` items.
template <class Forward>
void time_with_backward(State& state, int64_t items, Forward&& forward) {
  for (auto _ : state) {
    const Tensor result = forward();
    result.backward(torch::ones_like(result));
    benchmark::DoNotOptimize(result.data_ptr());
  }
  state.SetItemsProcessed(state.iterations() * items);
}

void StatelessDropout(State& state) {
  const auto x = leaf({batch, length, state.range(0)});
  time_with_backward(state, x.numel(),
                     [&] { return tfm::stateless_dropout(x, probability, /*training=*/true); });
}

void LibTorchDropout(State& state) {
  const auto x = leaf({batch, length, state.range(0)});
  time_with_backward(state, x.numel(),
                     [&] { return torch::dropout(x, probability, /*train=*/true); });
}

/// An output layer scaled as in an untrained model, so that logits have a standard deviation of
/// about 1. With much larger logits, most probabilities are subnormal numbers, which processors
/// multiply slowly.
struct OutputLayer {
  explicit OutputLayer(int64_t width)
      : hidden(leaf({tokens, width})),
        weight(torch::normal(0, 1 / std::sqrt(static_cast<double>(width)), {vocab_size, width})
                   .requires_grad_()),
        targets(torch::randint(1, vocab_size, {tokens}, torch::kInt64)) {}

  Tensor hidden;
  Tensor weight;
  Tensor targets;
};

constexpr double smoothing = 0.1;

void LinearCrossEntropy(State& state) {
  const OutputLayer layer(state.range(0));
  time_with_backward(state, tokens, [&] {
    const tfm::Targets targets{.ids = layer.targets, .pad = 0, .tokens = tokens};
    return tfm::linear_cross_entropy(layer.hidden, {layer.weight, {}}, targets, smoothing).smoothed;
  });
}

void LinearThenCrossEntropy(State& state) {
  const OutputLayer layer(state.range(0));
  time_with_backward(state, tokens, [&] {
    const auto logits = torch::linear(layer.hidden, layer.weight).view({batch, length, vocab_size});
    return tfm::cross_entropy_sums(logits, layer.targets.view({batch, length}), /*pad=*/0,
                                   smoothing)
        .smoothed;
  });
}

void SelfAttention(State& state) {
  tfm::LayerFactory layers;
  tfm::MultiHeadAttention attention(model_config(state), tfm::AttentionKind::causal_self, layers);
  for (auto& parameter : attention->parameters()) torch::nn::init::normal_(parameter, 0, 0.02);
  const auto x = leaf({batch, length, state.range(0)});
  time_with_backward(state, tokens,
                     [&] { return attention->self_forward({}, x, tfm::PaddedLayout{}); });
}

void CrossAttention(State& state) {
  tfm::LayerFactory layers;
  tfm::MultiHeadAttention attention(model_config(state), tfm::AttentionKind::cross, layers);
  for (auto& parameter : attention->parameters()) torch::nn::init::normal_(parameter, 0, 0.02);
  const auto x = leaf({batch, length, state.range(0)});
  const auto memory = leaf({batch, length, state.range(0)});
  auto ids = torch::ones({batch, length}, torch::kInt64);
  ids.slice(1, length - 2).zero_();  // padding, so that a mask is applied
  const tfm::TokenLayout layout = tfm::PaddedLayout{tfm::padding_mask(ids, 0)};
  time_with_backward(state, tokens,
                     [&] { return attention->forward({}, x, layout, memory, layout); });
}

void LayerNorm(State& state) {
  tfm::Normalization norm(model_config(state));
  const auto x = leaf({batch, length, state.range(0)});
  time_with_backward(state, tokens, [&] { return norm(x); });
}

void AdamStep(State& state) {
  tfm::Transformer model(model_config(state),
                         tfm::VocabSizes{.source = vocab_size, .target = vocab_size});
  for (auto& parameter : model->parameters())
    parameter.mutable_grad() = torch::randn_like(parameter);
  tfm::Optimizer optimizer(tfm::TrainingConfig{}, *model);
  for (auto _ : state) optimizer.step(/*learning_rate=*/1e-6);
  state.SetItemsProcessed(state.iterations() * model->parameter_count());
}

/// Adds the numbers of rows and the matrix shapes [out, in] of one decoding step, for the query,
/// key and value projection of a layer and for the output layer.
void gemm_shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"rows", "in", "out"})
      ->ArgsProduct({{1, 5, 32, 160, 640}, {128, 512}, {384, 10000}});
  benchmark->Unit(benchmark::kMicrosecond)->UseRealTime();
}

template <class Multiply>
void time_gemm(State& state, Multiply&& multiply) {
  const torch::NoGradGuard no_gradient;
  const auto x = torch::randn({state.range(0), state.range(1)});
  for (auto _ : state) benchmark::DoNotOptimize(multiply(x).data_ptr());
  state.SetItemsProcessed(state.iterations() * x.numel() * state.range(2));
}

void BatchInvariantGemm(State& state) {
  const auto panels = tfm::pack_panels(torch::randn({state.range(2), state.range(1)}));
  time_gemm(state, [&](const Tensor& x) {
    return tfm::batch_invariant_gemm(x, panels, {}, state.range(2));
  });
}

void LibTorchLinear(State& state) {
  const auto weight = torch::randn({state.range(2), state.range(1)});
  time_gemm(state, [&](const Tensor& x) { return torch::linear(x, weight); });
}

/// Quantises x and multiplies it by matrices that together are as large as a decoder of base, one
/// after the other, so that each comes from where a decoding step finds it.
void Int8Gemm(State& state) {
  constexpr int64_t decoder_bytes = 24 << 20;
  const auto kernel = tfm::int8_kernels().at(static_cast<std::size_t>(state.range(3)));
  const int64_t out = state.range(2);
  std::vector<tfm::PackedInt8Matrix> weights;
  for (int64_t bytes = 0; bytes < decoder_bytes; bytes += state.range(1) * out) {
    const auto weight = tfm::quantize_rows(torch::randn({out, state.range(1)}));
    weights.push_back(tfm::pack_int8(weight, kernel));
  }
  std::size_t next = 0;
  time_gemm(state, [&](const Tensor& x) {
    return tfm::int8_gemm(x, weights[next++ % weights.size()], {});
  });
}

void int8_shapes(benchmark::internal::Benchmark* benchmark) {
  const auto kernels = static_cast<int64_t>(tfm::int8_kernels().size());
  benchmark->ArgNames({"rows", "in", "out", "kernel"});
  for (const int64_t rows : {1, 8, 32, 128, 800})
    for (const auto& [in, out] : {std::pair{512, 512},
                                  {512, 1536},
                                  {512, 2048},
                                  {2048, 512},
                                  {128, 384},
                                  {128, 512},
                                  {512, 128},
                                  {128, 9984}})
      for (int64_t kernel = 1; kernel < kernels; ++kernel) benchmark->Args({rows, in, out, kernel});
  benchmark->Unit(benchmark::kMicrosecond)->UseRealTime();
}

#if defined(__x86_64__)
/// Multiplies int8 numbers in registers, without any memory access: the limit of Int8Gemm on
/// processors that have AVX-512 VNNI, but no AMX.
__attribute__((target("avx512f,avx512vnni"))) int multiply_in_registers(int64_t repetitions) {
  constexpr int chains = 16;  // hides the latency of the instruction
  const __m512i x = _mm512_set1_epi32(static_cast<int>(repetitions));
  __m512i sums[chains];
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) sums[i] = _mm512_set1_epi32(i);  // equal chains would be merged
  for (int64_t repetition = 0; repetition < repetitions; ++repetition) {
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) sums[i] = _mm512_dpbusd_epi32(sums[i], x, x);
  }
  __m512i total = sums[0];
#pragma GCC unroll 16
  for (int i = 1; i < chains; ++i) total = _mm512_add_epi32(total, sums[i]);
  int numbers[16];
  _mm512_storeu_si512(numbers, total);
  return numbers[0];
}

void Int8Limit(State& state) {
  if (!tfm::cpu_features().vnni) return state.SkipWithError("no AVX-512 VNNI");
  constexpr int64_t repetitions = 100'000;
  const int threads = at::get_num_threads();
  for (auto _ : state) {
    at::parallel_for(0, threads, 1, [&](int64_t begin, int64_t end) {
      for (; begin < end; ++begin) benchmark::DoNotOptimize(multiply_in_registers(repetitions));
    });
  }
  state.SetItemsProcessed(state.iterations() * threads * repetitions * 16 * 64);
}

BENCHMARK(Int8Limit)->Unit(benchmark::kMicrosecond)->UseRealTime();
#endif

BENCHMARK(Int8Gemm)->Apply(int8_shapes);
BENCHMARK(BatchInvariantGemm)->Apply(gemm_shapes);
BENCHMARK(LibTorchLinear)->Apply(gemm_shapes);
BENCHMARK(StatelessDropout)->Apply(model_sizes);
BENCHMARK(LibTorchDropout)->Apply(model_sizes);
BENCHMARK(LinearCrossEntropy)->Apply(model_sizes);
BENCHMARK(LinearThenCrossEntropy)->Apply(model_sizes);
BENCHMARK(SelfAttention)->Apply(model_sizes);
BENCHMARK(CrossAttention)->Apply(model_sizes);
BENCHMARK(LayerNorm)->Apply(model_sizes);
BENCHMARK(AdamStep)->Apply(model_sizes);

}  // namespace

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
  tfm::seed_everything(1);
  benchmark::AddCustomContext("runtime", tfm::describe_runtime(torch::kCPU));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
