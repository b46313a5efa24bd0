#include "vocabulary.h"

#include <algorithm>

#include "auto_fields.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/modifiers.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/shard_cache.h"
#include "tfm/data/text_sample.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/fitted_numbers.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Learns the vocabulary from a sample of all texts.
TokenizerPair learn(const TokenizerConfig& config, const std::vector<ParallelText>& texts) {
  std::int64_t pairs = 0;
  for (const ParallelText& text : texts) pairs += std::ssize(text.source);
  log_info("learning the vocabulary from {} pairs", std::min(pairs, config.sample_pairs));
  if (texts.size() == 1 && pairs <= config.sample_pairs)  // without a copy of the text
    return build_tokenizers(config, texts.front().source, texts.front().target);
  const auto sample = sample_of(texts, config.sample_pairs);
  return build_tokenizers(config, sample.source, sample.target);
}

/// Keeps the vocabulary for later runs. If it can't be written, they learn it again.
void keep(const TokenizerPair& tokenizers, const Config& config, const fs::path& folder) {
  try {
    make_folder(folder.parent_path());
    const ScratchFolder scratch(folder);
    save_tokenizers(tokenizers, scratch.path());
    // The rules of a config relate the vocabulary to the model. Names of files and folders are left
    // out, because the content must not depend on places.
    Config kept;
    kept.model = config.model;
    kept.tokenizer = config.tokenizer;
    write_file(scratch.path() / config_file, write_config(kept));
    replace_folder(scratch.path(), folder);
  } catch (const Error& error) {
    log_warn("the vocabulary is not kept for later runs: {}", error.summary());
  }
}

}  // namespace

bool learns_vocabulary(const Config& config) {
  return config.training.init_from.empty() && config.tokenizer.source_vocab.empty() &&
         config.tokenizer.target_vocab.empty();
}

std::optional<fs::path> vocabulary_folder(const Config& config, const fs::path& shards) {
  const Field& one_of_them = field_of(&Config::tokenizer, &TokenizerConfig::kind);
  std::string settings;
  for (const Field& field : fields())
    if (field.section == one_of_them.section)
      settings += field.name + " " + field.get(config) + "\n";
  if (config.tokenizer.has_normalization_file())
    settings += fingerprint(config.tokenizer.normalization).crc32 + "\n";
  for (const std::string& tag : config.data.tags) settings += tag + "\n";
  for (const std::string& symbol : modifier_symbols(config.data)) settings += symbol + "\n";
  for (const TrainingSet& set : training_sets(config.data)) {
    const auto key = text_key(set.files, settings);
    if (!key) return std::nullopt;
    settings += *key;
  }
  Crc32 sum;
  sum.add(settings);
  return shards / ("vocabulary-" + sum.hex());
}

std::optional<KeptVocabulary> find_vocabulary(const fs::path& folder) {
  if (!fs::exists(folder / config_file)) return std::nullopt;
  try {
    const auto config = load_config(folder / config_file).tokenizer;
    return KeptVocabulary{config, load_tokenizers(config, folder)};
  } catch (const Error& error) {
    log_warn("the vocabulary is learnt again: {}", error.summary());
    return std::nullopt;
  }
}

TokenizerPair make_vocabulary(Config& config, const SessionText& text) {
  auto& size = config.tokenizer.vocab_size;
  const bool is_auto = is_auto_vocab_size(config.tokenizer);
  if (const auto& origin = config.training.init_from; !origin.empty()) {
    const auto folder = description_folder(origin);
    if (is_auto) size = load_config(folder / config_file).tokenizer.vocab_size;
    return load_tokenizers(config.tokenizer, folder);
  }
  if (const auto& kept = text.kept_vocabulary) {
    log_info("the vocabulary is that of {}", text.vocabulary->string());
    config.tokenizer = kept->config;
    return kept->tokenizers;
  }
  if (is_auto) size = automatic_vocab_size(config.tokenizer, text.train_bytes);
  if (!learns_vocabulary(config)) return build_tokenizers(config.tokenizer, {}, {});
  config.tokenizer.symbols = source_symbols(config);
  auto tokenizers = learn(config.tokenizer, text.train);
  if (text.vocabulary) keep(tokenizers, config, *text.vocabulary);
  return tokenizers;
}

}  // namespace tfm
