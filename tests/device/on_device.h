// Makes small models with the same weights on the CPU and on the test device, for tests that
// compare the two.
#pragma once

#include <torch/utils.h>

#include <functional>
#include <string>

#include "tfm/data/corpus.h"
#include "tfm/model/model_folder.h"
#include "translate/tiny_model.h"

namespace tfm {

inline const torch::Device cpu{torch::kCPU};
inline const torch::Device test_device{torch::kCUDA, 0};

/// A setting to test, with a name for the messages of failures.
struct DeviceCase {
  std::string name;
  std::function<void(Config&)> change;
};

/// The words a to j, and 30 others that no line of a test contains, so that a beam looks at a part
/// of the vocabulary only.
inline std::string small_model_words() {
  std::string words = "a b c d e f g h i j";
  for (int i = 0; i < 30; ++i) words += " w" + std::to_string(i);
  return words;
}

/// Returns a model in fp32 without dropout, except for what `change` sets. Its weights depend on
/// the seed only.
inline TranslationModel make_small_model(torch::Device device,
                                         const std::function<void(Config&)>& change = {},
                                         std::uint64_t seed = 1) {
  auto model = tiny_model(seed, small_model_words());
  model.config.model.dropout = 0;
  model.config.training.precision = Precision::fp32;
  model.config.decoding.precision = DecodingPrecision::fp32;
  if (change) change(model.config);
  torch::manual_seed(seed);
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  model.network->eval();
  model.network->to(device);
  model.device = device;
  return model;
}

/// Returns sentence pairs of several lengths, so that their batches contain padding.
inline Corpus make_corpus(std::int64_t pairs) {
  Corpus corpus;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const auto word = [&](std::int64_t j) { return static_cast<TokenId>(4 + (i + j) % 10); };
    Example example{{}, {}, i + 1};
    for (std::int64_t j = 0; j < 2 + i % 4; ++j) example.source.push_back(word(j));
    for (std::int64_t j = 0; j < 1 + i % 5; ++j) example.target.push_back(word(3 * j + 1));
    example.source.push_back(2);
    corpus.examples.push_back(example);
  }
  return corpus;
}

}  // namespace tfm
