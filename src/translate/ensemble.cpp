#include "ensemble.h"

#include "tfm/core/error.h"

namespace tfm {
namespace {

void check_same(const Tokenizer& first, const Tokenizer& other, const std::string& side,
                std::size_t model) {
  const auto difference = vocabulary_difference(first, other);
  if (!difference) return;
  throw ModelError("model " + std::to_string(model),
                   "its " + side + " vocabulary differs from that of model 1: " + *difference,
                   "Combine only models that were trained with the same vocabulary files "
                   "(tokenizer.source_vocab, target_vocab).");
}

}  // namespace

void check_ensemble(std::span<TranslationModel* const> models) {
  if (models.empty()) throw ModelError("", "no model was given", "Name at least one model.");
  for (std::size_t i = 1; i < models.size(); ++i) {
    check_same(*models[0]->tokenizers.target, *models[i]->tokenizers.target, "target", i + 1);
    check_same(*models[0]->tokenizers.source, *models[i]->tokenizers.source, "source", i + 1);
    const auto& first = models[0]->config.data;
    const auto& other = models[i]->config.data;
    if (first.source_eos != other.source_eos)
      throw ModelError(
          "model " + std::to_string(i + 1),
          "it and model 1 differ in data.source_eos (the end-of-sentence token of source lines)",
          "Combine only models with the same data.source_eos.");
    if (first.language_tags != other.language_tags)
      throw ModelError("model " + std::to_string(i + 1),
                       "it and model 1 differ in data.language_tags (the tags of languages)",
                       "Combine only models with the same data.language_tags.");
  }
}

}  // namespace tfm
