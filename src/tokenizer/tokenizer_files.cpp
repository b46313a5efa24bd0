#include <algorithm>
#include <array>

#include "tfm/core/error.h"
#include "tfm/tokenizer/mapped_sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"
#include "tfm/tokenizer/sentencepiece_training.h"
#include "tfm/tokenizer/tokenizer.h"
#include "tfm/tokenizer/word_tokenizer.h"

namespace tfm {
namespace {

using TokenizerPtr = std::shared_ptr<const Tokenizer>;

TokenizerPtr read_tokenizer(const TokenizerConfig& config, const std::filesystem::path& file) {
  if (config.kind == TokenizerKind::word)
    return std::make_shared<const WordTokenizer>(Vocab::read(file, config));
  if (config.kind == TokenizerKind::pieces) return MappedSentencePieceTokenizer::read(file, config);
  return SentencePieceTokenizer::read(file);
}

TokenizerPtr train_tokenizer(const TokenizerConfig& config, const Texts& texts) {
  if (config.kind == TokenizerKind::pieces) {
    throw ConfigError(
        "tokenizer.kind", "a tokenizer of kind pieces is never trained, and no file is named",
        "Name tokenizer.source_vocab and target_vocab, or a model in training.init_from.");
  }
  if (config.kind == TokenizerKind::word)
    return std::make_shared<const WordTokenizer>(Vocab::build(texts, config));
  return std::make_shared<const SentencePieceTokenizer>(train_sentencepiece(texts, config));
}

/// Reads the tokenizer from `file`, or trains it if `file` is empty.
TokenizerPtr make_tokenizer(const TokenizerConfig& config, const std::string& file,
                            const Texts& texts) {
  return file.empty() ? train_tokenizer(config, texts) : read_tokenizer(config, file);
}

/// Throws DataError if the tokenizer has no bos or eos. A translation begins with bos and ends with
/// eos, so training and search need both.
void require_target_tokens(const Tokenizer& tokenizer, const TokenizerConfig& config,
                           const std::string& file) {
  struct Required {
    TokenId id;
    std::string name;
    std::string token;
    std::string key;
  };
  const std::array required{
      Required{tokenizer.special().bos, "beginning-of-sentence", config.bos_token, "bos"},
      Required{tokenizer.special().eos, "end-of-sentence", config.eos_token, "eos"}};
  for (const auto& [id, name, token, key] : required) {
    if (id >= 0) continue;
    if (config.kind == TokenizerKind::sentencepiece)
      throw DataError(file, "the SentencePiece model has no " + name + " id",
                      "Train it with --" + key + "_id.");
    throw DataError(
        file.empty() ? "target vocabulary" : file, "has no " + name + " token '" + token + "'",
        "Add it on a separate line, or name the right token in tokenizer." + key + "_token.");
  }
}

/// Returns true if both sides share one tokenizer. Tokenizers of kind pieces have a model per side,
/// even if they share a list.
bool shares_one_tokenizer(const TokenizerConfig& config) {
  return config.joint && config.kind != TokenizerKind::pieces;
}

/// Throws DataError if tokenizer.joint is set but the lists of the two tokenizers differ.
void check_lists_match(const TokenizerConfig& config, const TokenizerPair& pair) {
  if (!config.joint) return;
  bool same = pair.source->size() == pair.target->size();
  for (TokenId id = 0; same && id < pair.source->size(); ++id)
    same = pair.source->piece(id) == pair.target->piece(id);
  if (!same)
    throw DataError("tokenizer.joint", "is true, but the lists of source and target differ",
                    "Use one list, or set tokenizer.joint to false.");
}

/// Returns the file of a joint vocabulary, or an empty string if the config does not name a file.
/// Throws ConfigError if the config names two files.
std::string joint_file(const TokenizerConfig& config) {
  if (!config.source_vocab.empty() && !config.target_vocab.empty() &&
      config.source_vocab != config.target_vocab) {
    throw ConfigError(
        "tokenizer.joint",
        "is true, but tokenizer.source_vocab and tokenizer.target_vocab are two files",
        "Set tokenizer.joint to false, or name one file.");
  }
  return config.source_vocab.empty() ? config.target_vocab : config.source_vocab;
}

TokenizerPtr load_tokenizer(const TokenizerConfig& config, const std::filesystem::path& folder,
                            const std::string& stem) {
  const auto file = folder / (stem + (config.kind == TokenizerKind::word ? ".vocab" : ".model"));
  if (!std::filesystem::is_regular_file(file))
    throw ModelError(file.string(), "is missing",
                     "A model folder can't be used without its vocabulary.");
  try {
    auto tokenizer = read_tokenizer(config, file);
    if (stem != "source") require_target_tokens(*tokenizer, config, file.string());
    return tokenizer;
  } catch (const DataError& error) {
    throw ModelError("", error.what());
  }
}

}  // namespace

std::vector<std::int64_t> word_ids(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
  std::vector<std::int64_t> numbers;
  std::int64_t words_started = 0;
  for (const TokenId id : ids) {
    if (tokenizer.starts_word(id)) ++words_started;
    numbers.push_back(std::max<std::int64_t>(words_started - 1, 0));
  }
  return numbers;
}

std::optional<TokenId> find_piece(const Tokenizer& tokenizer, std::string_view piece) {
  for (TokenId id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.piece(id) == piece) return id;
  }
  return std::nullopt;
}

std::optional<std::string> vocabulary_difference(const Tokenizer& first, const Tokenizer& other) {
  if (first.size() != other.size())
    return std::to_string(other.size()) + " tokens, not " + std::to_string(first.size());
  for (TokenId id = 0; id < first.size(); ++id) {
    if (first.piece(id) != other.piece(id))
      return "token " + std::to_string(id) + " is '" + other.piece(id) + "', not '" +
             first.piece(id) + "'";
  }
  if (first.special() != other.special()) return "its special tokens differ";
  return std::nullopt;
}

TokenizerPair build_tokenizers(const TokenizerConfig& config,
                               const std::vector<std::string>& source_lines,
                               const std::vector<std::string>& target_lines) {
  if (shares_one_tokenizer(config)) {
    const std::string file = joint_file(config);
    const auto both = make_tokenizer(config, file, {source_lines, target_lines});
    require_target_tokens(*both, config, file);
    return {both, both};
  }
  auto source = make_tokenizer(config, config.source_vocab, {source_lines});
  auto target = make_tokenizer(config, config.target_vocab, {target_lines});
  require_target_tokens(*target, config, config.target_vocab);
  TokenizerPair pair{std::move(source), std::move(target)};
  check_lists_match(config, pair);
  return pair;
}

void save_tokenizers(const TokenizerPair& tokenizers, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  if (tokenizers.is_joint()) {
    tokenizers.source->save(folder, "joint");
    return;
  }
  tokenizers.source->save(folder, "source");
  tokenizers.target->save(folder, "target");
}

TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder) {
  if (shares_one_tokenizer(config)) {
    const auto both = load_tokenizer(config, folder, "joint");
    return {both, both};
  }
  TokenizerPair pair{load_tokenizer(config, folder, "source"),
                     load_tokenizer(config, folder, "target")};
  try {
    check_lists_match(config, pair);
  } catch (const DataError& error) {
    throw ModelError(folder.string(), error.what());
  }
  return pair;
}

}  // namespace tfm
