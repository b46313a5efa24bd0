#include "tfm/interop/imported_model.h"

#include <nlohmann/json.hpp>

#include "assemble.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/files.h"
#include "tfm/text/piece_tokenizer.h"
#include "tfm/text/word_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

TokenizerPair make_tokenizers(const TokenizerConfig& config, const ForeignEmbeddings& embeddings, const std::vector<fs::path>& sentencepiece) {
  Vocab source(embeddings.source_tokens, config, "source vocabulary");
  Vocab target(embeddings.target_tokens, config, "target vocabulary");
  if (config.kind == TokenizerKind::pieces) {
    const auto& [first, last] = std::pair(sentencepiece.front(), sentencepiece.back());
    return {std::make_shared<const PieceTokenizer>(read_file(first), std::move(source), first.string()),
            std::make_shared<const PieceTokenizer>(read_file(last), std::move(target), last.string())};
  }
  const auto both = std::make_shared<const WordTokenizer>(std::move(source));
  if (config.joint) return {both, both};
  return {both, std::make_shared<const WordTokenizer>(std::move(target))};
}

}  // namespace

void require_possible(const Config& config, const fs::path& origin) {
  try {
    parse_config(write_config(config), "its configuration");
  } catch (const ConfigError& error) {
    throw ModelError(origin.string(), std::string("asks for a model that tfm does not build: ") + error.what());
  }
}

TranslationModel assemble(const ForeignModel& foreign) {
  TranslationModel model;
  model.config = foreign.config;
  auto weights = foreign.weights;
  foreign.embeddings.add_to(weights, model.config);
  require_possible(model.config, foreign.origin);
  try {
    model.tokenizers = make_tokenizers(model.config.tokenizer, foreign.embeddings, foreign.sentencepiece);
  } catch (const DataError& error) {
    throw ModelError(foreign.origin.string(), error.what());
  }
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  load_parameters(*model.network, weights, foreign.origin);
  model.network->eval();
  return model;
}

void save_imported(const TranslationModel& model, const fs::path& folder, const std::string& format, const fs::path& origin) {
  if (fs::exists(folder / weights_file) || fs::exists(folder / config_file)) {
    throw ModelError(folder.string(), "holds a model already", "Name another folder, or remove it.");
  }
  save_description(folder, model.config, model.tokenizers);
  write_safetensors(folder / weights_file, named_parameters(*model.network));
  const nlohmann::ordered_json report{{"tfm", TFM_VERSION}, {"imported_from", origin.string()}, {"format", format}};
  write_file(folder / report_file, report.dump(2) + "\n");
}

}  // namespace tfm
