// Tests of decoding.reproducible: a line's translation and scores are bit-identical in every batch.
// The models are large enough to use the kernels of every precision. Small matrices use other
// kernels (packed_weights.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <numeric>
#include <random>
#include <thread>

#include "kernels/cpu_features.h"
#include "kernels/simd.h"
#include "tfm/tensor/packed_weights.h"
#include "tfm/tensor/runtime.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"

namespace tfm {
namespace {

constexpr unsigned vocabulary = 500;

std::string word(std::size_t number) {
  return std::string("w").append(std::to_string(number)).append(1, ' ');
}

TranslationModel wide_model(const std::function<void(Config&)>& change) {
  TranslationModel model;
  auto& config = model.config;
  config.model.encoder_layers = config.model.decoder_layers = 2;
  config.model.hidden_size = 192;
  config.model.heads = 6;
  config.model.transformer_ff = 400;
  config.tokenizer.kind = TokenizerKind::word;
  config.data.max_length = 24;
  config.decoding.max_length = 14;
  config.decoding.reproducible = true;
  change(config);
  std::string words;
  for (unsigned i = 0; i < vocabulary; ++i) words.append(word(i));
  model.tokenizers = build_tokenizers(config.tokenizer, {words}, {words});
  torch::manual_seed(4);
  model.network = Transformer(config.model, vocab_sizes(model.tokenizers));
  model.network->eval();
  return model;
}

std::vector<std::string> random_lines() {
  std::mt19937 random(11);
  std::vector<std::string> lines(64);
  for (auto& line : lines) {
    // Some lines are too long for one segment.
    for (auto words = random() % 30; words > 0; --words) line.append(word(random() % vocabulary));
  }
  return lines;
}

/// Returns all texts, scores and alignments of a translation. Numbers are written as their bits, so
/// that equal strings mean identical results.
std::string bits(const Translation& translation) {
  std::string text;
  for (const auto& candidate : translation.candidates) {
    text += candidate.text + "|" +
            std::to_string(std::bit_cast<std::uint64_t>(candidate.log_prob)) + "|" +
            std::to_string(std::bit_cast<std::uint64_t>(candidate.score)) + "|" +
            format_pharaoh(candidate.alignment) + "\n";
  }
  return text;
}

/// Counts the results that differ from `alone` if each line is translated by a call of its own, but
/// several threads call at once and share batches, which lines join and leave at any time.
int differences_of_shared_batches(TranslationModel& model, const std::vector<std::string>& lines,
                                  const std::vector<std::string>& alone) {
  const ThreadCountGuard as_in_a_service(1);
  const Translator translator(model, model.config.decoding, {.workers = 2, .sentences = 7});
  std::atomic<int> count{0};
  std::vector<std::jthread> callers;
  for (std::size_t caller = 0; caller < 9; ++caller) {
    callers.emplace_back([&, caller] {
      for (std::size_t i = caller; i < lines.size(); i += 9) {
        TranslationRequest request;
        request.first_line = static_cast<int64_t>(i);
        request.alignment = true;
        count += bits(translator.translate({lines[i]}, request).front()) != alone[i] ? 1 : 0;
      }
    });
  }
  callers.clear();
  return count;
}

/// Translates each line alone, in batches of several sizes and orders and in shared batches, and
/// counts the results that differ. Samples depend on line numbers. With sampling, the order is
/// therefore kept, and the first lines are dropped instead.
int differences(const std::function<void(Config&)>& change) {
  auto model = wide_model(change);
  const auto lines = random_lines();
  const auto& original = model.config.decoding;
  std::vector<std::string> alone;
  Translator translator(model, original);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    TranslationRequest request;
    request.first_line = static_cast<int64_t>(i);
    request.alignment = true;
    const auto found = translator.translate({lines[i]}, request);
    alone.push_back(bits(found.front()));
  }
  int count = differences_of_shared_batches(model, lines, alone);
  std::mt19937 random(5);
  for (const int64_t size : {30, 100, 700, 4096}) {
    auto decoding = original;
    decoding.batch_size = size;
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!decoding.sampling) std::ranges::shuffle(order, random);
    const std::size_t first = decoding.sampling ? random() % 20 : 0;
    std::vector<std::string> shuffled;
    for (std::size_t i = first; i < order.size(); ++i) shuffled.push_back(lines[order[i]]);
    TranslationRequest request;
    request.first_line = static_cast<int64_t>(first);
    request.alignment = true;
    const auto found = Translator(model, decoding).translate(shuffled, request);
    for (std::size_t i = 0; i < found.size(); ++i)
      count += bits(found[i]) != alone[order[first + i]] ? 1 : 0;
  }
  return count;
}

void greedy(Config& config) { config.decoding.beam_size = 1; }
void beam(Config& config) { config.decoding.n_best = config.decoding.beam_size = 4; }
void sampling(Config& config) {
  config.decoding.sampling = true;
  config.decoding.n_best = 2;
}

class TranslatorReproducible : public testing::TestWithParam<DecodingPrecision> {
 protected:
  void SetUp() override {
    if (GetParam() == DecodingPrecision::bf16 && !cpu_supports_bf16())
      GTEST_SKIP() << "this processor does not support bf16";
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, TranslatorReproducible,
                         testing::Values(DecodingPrecision::fp32, DecodingPrecision::bf16,
                                         DecodingPrecision::int8));

TEST_P(TranslatorReproducible, TranslationsAreBitIdenticalInEveryBatchForGreedyBeamAndSampling) {
  for (const auto& search : {greedy, beam, sampling}) {
    EXPECT_EQ(differences([&](Config& config) {
                search(config);
                config.decoding.precision = GetParam();
              }),
              0);
  }
}

TEST_P(TranslatorReproducible, TranslationsAreBitIdenticalInEveryBatchForSeveralArchitectures) {
  const auto silu = [](Config& config) {
    config.model.activation = Activation::swiglu;
    config.model.norm = Norm::rms_norm;
    config.model.norm_order = NormOrder::pre;
  };
  const auto gelu = [](Config& config) {
    config.model.activation = Activation::gelu;
    config.model.norm = Norm::deviation_norm;
  };
  // Coverage penalties do not use IndirectKvCache.
  const auto rotary = [](Config& config) { config.model.positions = Positions::rotary; };
  const auto coverage = [](Config& config) { config.decoding.coverage_penalty = 0.2; };
  const std::vector<std::pair<std::string, std::function<void(Config&)>>> architectures{
      {"silu", silu}, {"gelu", gelu}, {"rotary", rotary}, {"coverage", coverage}};
  for (const auto& named : architectures) {
    SCOPED_TRACE(named.first);
    const auto& architecture = named.second;
    EXPECT_EQ(differences([&](Config& config) {
                architecture(config);
                config.decoding.beam_size = 2;
                config.decoding.precision = GetParam();
              }),
              0);
  }
}

/// Shows that decoding.reproducible is needed. If a library happened to sum in the same order in
/// every batch, this test would fail without a fault in the option.
TEST(TranslatorNotReproducible, LastDigitsOfScoresDependOnTheBatch) {
  if (simd_width() < max_lanes || !cpu_features().intel)
    GTEST_SKIP() << "without AVX-512 of Intel, all fp32 kernels are tfm's own";
  EXPECT_GT(differences([](Config& config) {
              config.decoding.reproducible = false;
              config.decoding.precision = DecodingPrecision::fp32;
            }),
            0);
}

}  // namespace
}  // namespace tfm
