// Models with random weights and SentencePiece vocabularies, for tests of exports.
#pragma once

#include <functional>
#include <memory>

#include "imported.h"
#include "small_model.h"

namespace tfm {

/// Returns a model for German to English after applying `change` to its config. Its two sides have
/// one vocabulary, or two if tokenizer.joint is false.
inline TranslationModel pieces_model(const std::function<void(Config&)>& change = {}) {
  auto model = tiny_model();
  model.config.tokenizer = subword_config(SubwordAlgorithm::bpe, 60);
  model.config.data.source_language = "de";
  model.config.data.target_language = "en";
  if (change) change(model.config);
  const auto source = std::make_shared<const SentencePieceTokenizer>(small_sentencepiece(1));
  const auto target = model.config.tokenizer.joint
                          ? source
                          : std::make_shared<const SentencePieceTokenizer>(small_sentencepiece(2));
  model.tokenizers = {source, target};
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  randomize(model.network);
  model.network->eval();
  return model;
}

}  // namespace tfm
