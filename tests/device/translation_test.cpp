// Tests translation, scores and attention on the test device against the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "on_device.h"
#include "temporary_folder.h"
#include "test_device.h"
#include "tfm/core/error.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/attention.h"
#include "tfm/translate/batch_limit.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/shortlist.h"
#include "tfm/translate/translator.h"
#include "translate/random_lines.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using Models = std::vector<TranslationModel>;

constexpr double tolerance = 1e-4;  // sums in a different order

std::vector<TranslationModel*> pointers(Models& models) {
  std::vector<TranslationModel*> all;
  for (auto& model : models) all.push_back(&model);
  return all;
}

Models make_models(torch::Device device, const DeviceCase& test_case, std::uint64_t count = 1) {
  Models models;
  for (std::uint64_t seed = 1; seed <= count; ++seed)
    models.push_back(make_small_model(device, test_case.change, seed));
  return models;
}

/// Translates with tokens explained and words aligned. With positions by token, equal words attend
/// equally, so rounding errors would decide the alignment.
std::vector<Translation> translate(Models models) {
  const auto& config = models.front().config;
  return Translator(pointers(models), config.decoding)
      .translate(random_lines(9, 5),
                 {.alternatives = 2, .alignment = config.model.positions != Positions::by_token});
}

void expect_same(const Candidate& actual, const Candidate& expected, const std::string& name) {
  EXPECT_EQ(actual.text, expected.text) << name;
  EXPECT_NEAR(actual.log_prob, expected.log_prob, tolerance) << name;
  EXPECT_NEAR(actual.score, expected.score, tolerance) << name;
  EXPECT_EQ(actual.alignment, expected.alignment) << name;
  ASSERT_EQ(actual.explanation.size(), expected.explanation.size()) << name;
  for (std::size_t i = 0; i < expected.explanation.size(); ++i) {
    EXPECT_NEAR(actual.explanation[i].log_prob, expected.explanation[i].log_prob, tolerance);
    EXPECT_EQ(actual.explanation[i].alternatives.size(), 2U);
  }
}

void expect_same_translations(const DeviceCase& test_case, std::uint64_t models = 1) {
  const auto expected = translate(make_models(cpu, test_case, models));
  const auto actual = translate(make_models(test_device, test_case, models));
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t line = 0; line < expected.size(); ++line) {
    ASSERT_EQ(actual[line].candidates.size(), expected[line].candidates.size());
    for (std::size_t i = 0; i < expected[line].candidates.size(); ++i)
      expect_same(actual[line].candidates[i], expected[line].candidates[i], test_case.name);
  }
}

const std::vector<DeviceCase>& architectures() {
  static const std::vector<DeviceCase> all = {
      {"default", [](Config&) {}},
      {"pre-norm, rms_norm, swiglu",
       [](Config& c) {
         c.model.norm_order = NormOrder::pre;
         c.model.norm = Norm::rms_norm;
         c.model.activation = Activation::swiglu;
       }},
      {"learned", [](Config& c) { c.model.positions = Positions::learned; }},
      {"rotary", [](Config& c) { c.model.positions = Positions::rotary; }},
      {"by_token", [](Config& c) { c.model.positions = Positions::by_token; }},
      {"layerwise, tied",
       [](Config& c) {
         c.model.cross_attention = CrossAttention::layerwise;
         c.model.tied_embeddings = TiedEmbeddings::all;
       }},
  };
  return all;
}

TEST(TranslatorOnDevice, TranslatesLikeTheCpuWithEachArchitecture) {
  for (const auto& architecture : architectures()) {
    for (const std::int64_t beam : {1, 4}) {
      expect_same_translations({architecture.name, [&](Config& config) {
                                  architecture.change(config);
                                  config.decoding.beam_size = beam;
                                }});
    }
  }
}

TEST(TranslatorOnDevice, SearchesLikeTheCpu) {
  const DeviceCase searches[] = {
      {"n_best", [](Config& c) { c.decoding.n_best = 3; }},
      {"beam_groups", [](Config& c) { c.decoding.beam_groups = c.decoding.n_best = 2; }},
      {"sampling",
       [](Config& c) {
         c.decoding.sampling = true;
         c.decoding.n_best = 2;
         c.decoding.seed = 7;
       }},
      {"top-k and top-p",
       [](Config& c) {
         c.decoding.sampling = true;
         c.decoding.sampling_topk = 5;
         c.decoding.sampling_topp = 0.9;
         c.decoding.temperature = 0.7;
       }},
      {"coverage_penalty", [](Config& c) { c.decoding.coverage_penalty = 0.3; }},
      {"prefix", [](Config& c) { c.decoding.target_prefix = "c d"; }},
      {"forced phrase", [](Config& c) { c.decoding.forced_phrases = {"e f", "a"}; }},
      {"forbidden phrase", [](Config& c) { c.decoding.forbidden_phrases = {"a", "b c"}; }},
      {"stop token", [](Config& c) { c.decoding.stop_token = "d"; }},
      {"repetitions",
       [](Config& c) {
         c.decoding.no_repeat_ngram_size = 2;
         c.decoding.repetition_penalty = 1.2;
       }},
      {"long translations",  // longer than the first capacity of the KV cache
       [](Config& c) {
         c.data.max_length = 50;
         c.decoding.min_length = 35;
         c.decoding.max_length = 40;
         c.decoding.max_length_factor = 40;
       }},
      {"small batches",
       [](Config& c) {
         c.decoding.batch_type = BatchType::sentences;
         c.decoding.batch_size = 2;
       }},
      {"reproducible", [](Config& c) { c.decoding.reproducible = true; }},
      {"one head", [](Config& c) { c.decoding.alignment_head = "1:1"; }},
      {"replace_unknown", [](Config& c) { c.decoding.replace_unknown = true; }},
  };
  for (const auto& search : searches) expect_same_translations(search);
}

TEST(TranslatorOnDevice, TranslatesLikeTheCpuWithAnEnsemble) {
  for (const auto mean : {EnsembleMean::probabilities, EnsembleMean::log_probabilities}) {
    for (const std::int64_t beam : {1, 4}) {
      expect_same_translations({"ensemble",
                                [&](Config& config) {
                                  config.decoding.ensemble_mean = mean;
                                  config.decoding.beam_size = beam;
                                }},
                               2);
    }
  }
}

TEST(TranslatorOnDevice, TranslatesLikeTheCpuWithAShortlist) {
  const TemporaryFolder folder;
  const auto model = make_small_model(cpu);
  const auto file = folder.path("shortlist");
  learn_shortlist(make_corpus(20), model.tokenizers, {.per_token = 2, .frequent = 1})
      .write(file, model.tokenizers);
  expect_same_translations(
      {"shortlist", [&](Config& config) { config.decoding.shortlist = file; }});
}

TEST(TranslatorOnDevice, ComputesInBf16ByDefaultAndRefusesInt8) {
  auto model = make_small_model(test_device);
  auto decoding = model.config.decoding;
  const auto score = [&] { return Translator(model, decoding).translate({"a b c"})[0]; };
  const double fp32 = score().candidates[0].log_prob;
  decoding.precision = DecodingPrecision::automatic;
  const double bf16 = score().candidates[0].log_prob;
  EXPECT_NE(bf16, fp32);
  EXPECT_NEAR(bf16, fp32, 0.05 * std::abs(fp32));
  decoding.precision = DecodingPrecision::int8;
  EXPECT_THAT(message_of<ConfigError>(score), HasSubstr("int8 is only supported on the CPU"));
}

TEST(TranslatorOnDevice, ComputesInFp16IfConfiguredOrIfTheGpuHasNoBf16) {
  auto models = make_models(test_device, architectures().front());
  auto decoding = models.front().config.decoding;
  const auto score = [&](DecodingPrecision precision) {
    decoding.precision = precision;
    EXPECT_FALSE(Translator(pointers(models), decoding).translate({"a b c"})[0].candidates.empty());
    return Scorer(pointers(models), decoding).score({{"a b c", "d e"}})[0].log_prob;
  };
  const double fp32 = score(DecodingPrecision::fp32);
  const double fp16 = score(DecodingPrecision::fp16);
  EXPECT_NE(fp16, fp32);
  EXPECT_NEAR(fp16, fp32, 0.005 * std::abs(fp32));
  set_compute_capability(75);
  EXPECT_EQ(score(DecodingPrecision::automatic), fp16);
  EXPECT_THAT(message_of<ConfigError>([&] { score(DecodingPrecision::bf16); }),
              HasSubstr("this GPU can't multiply in bf16"));
  set_compute_capability(0);
}

TEST(ScorerOnDevice, ScoresLikeTheCpus) {
  std::vector<SentencePair> pairs;
  const auto sources = random_lines(9, 1);
  const auto targets = random_lines(9, 2);
  for (std::size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i]});
  pairs.push_back({"", "a"});
  pairs.push_back({"a", ""});
  for (const auto& architecture : architectures()) {
    for (const std::uint64_t count : {1, 2}) {
      const auto score = [&](torch::Device device) {
        auto models = make_models(device, architecture, count);
        return Scorer(pointers(models), models.front().config.decoding).score(pairs);
      };
      const auto actual = score(test_device);
      const auto expected = score(cpu);
      for (std::size_t i = 0; i < pairs.size(); ++i)
        EXPECT_NEAR(actual[i].log_prob, expected[i].log_prob, tolerance) << architecture.name;
    }
  }
}

void expect_near(const AttentionArray& actual, const AttentionArray& expected,
                 const std::string& name) {
  ASSERT_EQ(actual.values.size(), expected.values.size()) << name;
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    ASSERT_NEAR(actual.values[i], expected.values[i], 1e-5) << name;
}

TEST(AttentionOnDevice, EqualsTheCpus) {
  for (const auto& architecture : architectures()) {
    const auto compute = [&](torch::Device device) {
      auto model = make_small_model(device, architecture.change);
      return compute_pair_attention(model, encode_pair(model, "a b c d", "e f g").value());
    };
    const auto actual = compute(test_device);
    const auto expected = compute(cpu);
    expect_near(actual.encoder, expected.encoder, architecture.name);
    expect_near(actual.decoder, expected.decoder, architecture.name);
    expect_near(actual.cross, expected.cross, architecture.name);
  }
}

TEST(TranslationOnADevice, SizesItsBatchesByTheFreeMemory) {
  auto models = make_models(test_device, {"default", [](Config&) {}});
  auto host = make_models(cpu, {"default", [](Config&) {}});
  const auto bytes = decoding_bytes_per_token(models.front().config.model,
                                              vocab_sizes(models.front().tokenizers).target, 4);
  set_free_memory(static_cast<std::size_t>(2 * 10000 * bytes));
  DecodingConfig decoding;
  EXPECT_NEAR(static_cast<double>(batch_limit(decoding, pointers(models)).size), 10000, 1);
  EXPECT_EQ(batch_limit(decoding, pointers(host)).size, 4096);
  auto ensemble = make_models(test_device, {"default", [](Config&) {}}, 2);
  EXPECT_NEAR(static_cast<double>(batch_limit(decoding, pointers(ensemble)).size), 5000, 1);
  decoding.batch_size = 50;
  EXPECT_EQ(batch_limit(decoding, pointers(models)).size, 50);
  set_free_memory(0);
}

}  // namespace
}  // namespace tfm
