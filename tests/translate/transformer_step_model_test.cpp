#include "translate/transformer_step_model.h"

#include <gtest/gtest.h>

#include "tfm/model/batch.h"
#include "tfm/tensor/packed_weights.h"
#include "tiny_model.h"

namespace tfm {
namespace {

/// Returns the log-probabilities [V] of the token after `prefix`, computed in one pass without a
/// cache.
std::vector<float> uncached(TranslationModel& model, const torch::Tensor& source,
                            const std::vector<int64_t>& prefix) {
  const torch::NoGradGuard no_grad;
  const auto logits = model.network(source, torch::tensor(prefix, torch::kInt64).unsqueeze(0));
  const auto log_probs = torch::log_softmax(logits[0][-1], -1).contiguous();
  return {log_probs.data_ptr<float>(), log_probs.data_ptr<float>() + log_probs.numel()};
}

void expect_row(const StepOutput& all, std::size_t row, const std::vector<float>& expected) {
  for (std::size_t v = 0; v < expected.size(); ++v)
    EXPECT_NEAR(all.next(row).log_prob(static_cast<std::int32_t>(v)), expected[v], 1e-5)
        << "row " << row << ", token " << v;
}

/// Returns the log-probabilities [V] of the first row.
torch::Tensor first_row(const StepOutput& output) {
  std::vector<float> log_probs;
  const auto next = output.next(0);
  for (std::int32_t token = 0; token < next.size(); ++token)
    log_probs.push_back(next.log_prob(token));
  return torch::tensor(log_probs);
}

TEST(TransformerStepModel, LogProbabilitiesEqualThoseOfTheUncachedNetworkForEveryRow) {
  auto model = tiny_model();
  const torch::InferenceMode inference;
  const std::vector<TokenIds> sentences{{4, 5, 6, 2}, {7, 2}};
  const auto source = pad_sequences(sentences, 0);
  const auto first = source.slice(0, 0, 1);
  const auto second = source.slice(0, 1, 2).slice(1, 0, 2);
  TransformerStepModel step(model.network, source);

  const auto start = step.advance(std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{1, 1});
  ASSERT_EQ(start.rows, 2U);
  ASSERT_EQ(start.next(1).size(), step.vocab_size());
  expect_row(start, 0, uncached(model, first, {1}));
  expect_row(start, 1, uncached(model, second, {1}));

  // Sentence 0 now has two rows; the row of sentence 1 becomes the third row.
  const auto branched =
      step.advance(std::vector<std::int32_t>{0, 0, 1}, std::vector<std::int32_t>{4, 5, 6});
  expect_row(branched, 0, uncached(model, first, {1, 4}));
  expect_row(branched, 1, uncached(model, first, {1, 5}));
  expect_row(branched, 2, uncached(model, second, {1, 6}));

  // The row of sentence 1 moves to the front, and the first row of sentence 0 is dropped.
  const auto fewer = step.advance(std::vector<std::int32_t>{2, 1}, std::vector<std::int32_t>{7, 8});
  expect_row(fewer, 0, uncached(model, second, {1, 6, 7}));
  expect_row(fewer, 1, uncached(model, first, {1, 5, 8}));
}

/// The widths are chosen so that some attention matrices count as small weights, which use other
/// kernels and formats (packed_weights.h), and others do not.
TEST(TransformerStepModel, LogProbabilitiesAreAccurateForEveryWeightFormatAndSeveralWidths) {
  for (const int64_t width : {64, 192, 256, 320}) {
    ModelConfig config;
    config.encoder_layers = config.decoder_layers = 1;
    config.hidden_size = width;
    config.transformer_ff = 64;
    config.heads = 4;
    torch::manual_seed(width);
    Transformer network(config,
                        VocabSizes{.source = 30, .target = 30, .source_pad = 0, .target_pad = 0});
    network->eval();
    const torch::InferenceMode inference;
    const auto source = torch::tensor({{4, 5, 6, 7, 2}});
    // [T, V]
    const auto expected =
        torch::log_softmax(network->forward(source, torch::tensor({{1, 8, 9}}))[0], -1);
    for (const auto format : {WeightFormat::fp32, WeightFormat::bf16, WeightFormat::int8}) {
      if (format == WeightFormat::bf16 && !cpu_supports_bf16()) continue;
      const PackedWeights weights(network->linear_parts(), {.format = format});
      TransformerStepModel step(network, source, {.context = weights.context()});
      for (int64_t position = 0; const std::int32_t token : {1, 8, 9}) {
        const auto found =
            first_row(step.advance(std::vector<std::int32_t>{0}, std::vector<std::int32_t>{token}));
        EXPECT_LT((found - expected[position++]).abs().max().item<float>(),
                  format == WeightFormat::fp32 ? 1e-4 : 0.1)
            << "width " << width << ", format " << static_cast<int>(format) << ", token " << token;
      }
    }
  }
}

/// With a subset of the vocabulary, logits are those of the whole vocabulary, and log-probabilities
/// are normalised over the subset.
TEST(TransformerStepModel, RestrictsTheOutputToASubsetOfTheVocabulary) {
  ModelConfig config;
  config.encoder_layers = config.decoder_layers = 1;
  config.hidden_size = 320;
  config.transformer_ff = 64;
  config.heads = 4;
  torch::manual_seed(1);
  Transformer network(config,
                      VocabSizes{.source = 300, .target = 300, .source_pad = 0, .target_pad = 0});
  network->eval();
  const torch::InferenceMode inference;
  TokenIds tokens(205);  // 205 x 320 weights are enough to be packed in every format
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<TokenId>(i < 20 ? i : i + 95);
  const auto chosen = torch::tensor(at::ArrayRef<TokenId>(tokens), torch::kInt64);
  const auto source = torch::tensor({{4, 5, 6, 7, 2}});
  const auto logits = network->forward(source, torch::tensor({{1, 8, 299}}))[0];  // [T, V]
  const auto expected = torch::log_softmax(logits.index_select(1, chosen), -1);
  const auto near = [&](const ForwardContext& context, float tolerance, const std::string& what) {
    TransformerStepModel step(network, source, {.context = context, .tokens = tokens});
    EXPECT_EQ(step.vocab_size(), std::ssize(tokens));
    for (int64_t position = 0; const std::int32_t place : {1, 8, 204}) {
      const auto found =
          first_row(step.advance(std::vector<std::int32_t>{0}, std::vector<std::int32_t>{place}));
      EXPECT_LT((found - expected[position++]).abs().max().item<float>(), tolerance)
          << what << ", place " << place;
    }
  };
  near({}, 1e-4F, "unpacked");
  for (const auto format : {WeightFormat::fp32, WeightFormat::bf16, WeightFormat::int8}) {
    if (format == WeightFormat::bf16 && !cpu_supports_bf16()) continue;
    for (const bool selected : {true, false}) {
      PackingOptions options{.format = format};
      if (selected) options.selected_slot = network->output_part().slot;
      const PackedWeights weights(network->linear_parts(), options);
      near(weights.context(), format == WeightFormat::fp32 ? 1e-4F : 0.1F,
           "format " + std::to_string(static_cast<int>(format)));
    }
  }
}

TEST(TransformerStepModel, ReturnsTheMeanCrossAttentionWhenRequested) {
  auto model = tiny_model();
  const torch::InferenceMode inference;
  const std::vector<TokenIds> sentences{{4, 5, 6, 2}, {7, 2}};
  const auto source = pad_sequences(sentences, 0);
  TransformerStepModel step(model.network, source, {.wants_attention = true});
  step.advance(std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{1, 1});
  const auto attention =
      step.advance(std::vector<std::int32_t>{1, 0}, std::vector<std::int32_t>{4, 5}).attention;
  ASSERT_EQ(attention.size(), 8U);

  AttentionMaps maps;
  model.network(source, torch::tensor({{1, 5}, {1, 4}}), &maps);
  const auto& layers = maps.decoder.cross_attention;
  for (const int64_t row : {0, 1}) {
    auto expected = torch::zeros({4});
    // The mean over the heads at the second target token turns [H, T, S] into [S].
    for (const auto& layer : layers)
      expected += layer[1 - row].select(1, 1).mean(0) / static_cast<double>(layers.size());
    for (int64_t s = 0; s < 4; ++s)
      EXPECT_NEAR(attention[static_cast<std::size_t>(row * 4 + s)], expected[s].item<float>(),
                  1e-5);
  }
  EXPECT_EQ(attention[2], 0) << "padding receives no attention";

  TransformerStepModel without_attention(model.network, source);
  const auto output =
      without_attention.advance(std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{1, 1});
  EXPECT_TRUE(output.attention.empty());
}

}  // namespace
}  // namespace tfm
