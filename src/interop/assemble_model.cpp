#include "assemble_model.h"

#include <fmt/format.h>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/mapped_sentencepiece_tokenizer.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

TokenizerPair make_tokenizers(const TokenizerConfig& config, const ImportedEmbeddings& embeddings,
                              const std::vector<fs::path>& sentencepiece) {
  Vocab source(embeddings.source_tokens, config, "source vocabulary");
  Vocab target(embeddings.target_tokens, config, "target vocabulary");
  if (config.kind == TokenizerKind::pieces) {
    const auto& [first, last] = std::pair(sentencepiece.front(), sentencepiece.back());
    return {std::make_shared<const MappedSentencePieceTokenizer>(read_file(first),
                                                                 std::move(source), first.string()),
            std::make_shared<const MappedSentencePieceTokenizer>(read_file(last), std::move(target),
                                                                 last.string())};
  }
  const auto both = std::make_shared<const WordTokenizer>(std::move(source));
  if (config.joint) return {both, both};
  return {both, std::make_shared<const WordTokenizer>(std::move(target))};
}

}  // namespace

void check_config_limits(const Config& config, const fs::path& origin) {
  try {
    parse_config(write_config(config), "its configuration");
  } catch (const ConfigError& error) {
    throw ModelError(origin.string(),
                     std::string("describes a model that tfm does not support: ") + error.what());
  }
}

TranslationModel assemble_model(const ImportedModelParts& parts) {
  TranslationModel model;
  model.config = parts.config;
  auto weights = parts.weights;
  parts.embeddings.add_to(weights, model.config, parts.origin);
  check_config_limits(model.config, parts.origin);
  try {
    model.tokenizers =
        make_tokenizers(model.config.tokenizer, parts.embeddings, parts.sentencepiece);
  } catch (const DataError& error) {
    throw ModelError(parts.origin.string(), error.what());
  }
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  if (const auto names = non_finite_weights(weights); !names.empty()) {
    throw ModelError(parts.origin.string(),
                     fmt::format("{} contain infinities or NaN", fmt::join(names, ", ")),
                     "Use another copy.");
  }
  load_state_dict(*model.network, weights, parts.origin);
  model.network->eval();
  return model;
}

}  // namespace tfm
