// Helpers for tests of imports: golden files with logits that other toolkits computed, and small
// SentencePiece models.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "npz_file.h"
#include "temporary_folder.h"
#include "text/sample_text.h"
#include "tfm/core/atomic_file.h"
#include "tfm/model/model.h"
#include "tfm/model/model_folder.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_training.h"

namespace tfm {

inline std::filesystem::path interop_golden(const std::string& name) {
  return std::filesystem::path(TFM_SOURCE_DIR) / "tests/interop/golden" / name;
}

/// Returns a SentencePiece model trained on the sample text for this seed. Each model is trained
/// only once.
inline const std::string& small_sentencepiece(std::uint32_t seed) {
  static std::map<std::uint32_t, std::string> models;
  auto& model = models[seed];
  if (model.empty()) {
    const auto text = sample_text(seed);
    model = train_sentencepiece({text}, subword_config(SubwordAlgorithm::bpe, 60));
  }
  return model;
}

/// Returns a vocabulary of `size` tokens: "</s>", "<unk>" and pieces of the model.
inline std::vector<std::string> list_of_pieces(const std::string& model, std::size_t size) {
  const SentencePieceTokenizer tokenizer(model);
  std::vector<std::string> tokens{"</s>", "<unk>"};
  for (TokenId id = static_cast<TokenId>(tokenizer.size()) - 1; tokens.size() < size; --id)
    tokens.push_back(tokenizer.piece(id));  // single characters, which have the highest ids
  return tokens;
}

/// Returns the logits of the golden batch, [2, T + 1, V of the golden model]. The golden source is
/// padded with id 23, which is replaced by the model's padding id.
inline torch::Tensor logits_of(TranslationModel& model, const StateDict& golden) {
  const torch::InferenceMode inference;
  const auto source_pad = model.tokenizers.source->special().pad;
  constexpr int64_t golden_pad = 23;
  const auto& source = golden.at("source");
  const auto padded =
      torch::where(source == golden_pad, torch::full_like(source, source_pad), source);
  const auto& target = golden.at("target");
  const auto input = torch::cat(
      {torch::full({target.size(0), 1}, model.tokenizers.target->special().bos, torch::kInt64),
       target},
      1);
  return model.network->forward(padded, input).slice(-1, 0, golden.at("logits").size(-1));
}

/// Returns the TranslationModel inside an imported model.
inline TranslationModel unwrap(Model model) {
  TranslationModel& inside = model;
  return std::move(inside);
}

inline void expect_close(const torch::Tensor& found, const torch::Tensor& expected) {
  ASSERT_EQ(found.sizes(), expected.sizes());
  EXPECT_LT((found - expected).abs().max().item<float>(), 2e-5);
}

}  // namespace tfm
