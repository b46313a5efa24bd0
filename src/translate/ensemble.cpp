#include "ensemble.h"

#include "tfm/core/error.h"

namespace tfm {
namespace {

void check_same(const Tokenizer& first, const Tokenizer& other, const std::string& side,
                std::size_t model) {
  const auto difference = vocabulary_difference(first, other);
  if (!difference) return;
  throw ModelError("model " + std::to_string(model),
                   "its " + side + " vocabulary is not that of model 1: " + *difference,
                   "Translate together only with models that were trained on the same vocabulary "
                   "files (tokenizer.source_vocab, target_vocab).");
}

}  // namespace

void check_ensemble(std::span<TranslationModel* const> models) {
  if (models.empty()) throw ModelError("", "no model to translate with", "Name at least one.");
  for (std::size_t i = 1; i < models.size(); ++i) {
    check_same(*models[0]->tokenizers.target, *models[i]->tokenizers.target, "target", i + 1);
    check_same(*models[0]->tokenizers.source, *models[i]->tokenizers.source, "source", i + 1);
    if (models[0]->config.data.source_eos == models[i]->config.data.source_eos) continue;
    throw ModelError(
        "model " + std::to_string(i + 1),
        "it reads source lines with an end mark where model 1 does not, or the other way round",
        "Translate together only with models of the same data.source_eos.");
  }
}

}  // namespace tfm
