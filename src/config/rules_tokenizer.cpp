#include <algorithm>
#include <array>
#include <regex>
#include <span>
#include <string>
#include <utility>

#include "rules.h"
#include "tfm/config/modifiers.h"

namespace tfm {
namespace {

void check_vocabulary_files(const Config& config, Violations& found) {
  const TokenizerConfig& tokenizer = config.tokenizer;
  const bool source = !tokenizer.source_vocab.empty();
  const bool target = !tokenizer.target_vocab.empty();
  if (config.model.tied_embeddings == TiedEmbeddings::all && !tokenizer.joint) {
    found.push_back(
        {{"model.tied_embeddings", "tokenizer.joint"},
         "source and target can share one embedding matrix only if they share one vocabulary",
         "set tokenizer.joint to true, or tied_embeddings to decoder"});
  }
  // With the kind `pieces`, each side has its own SentencePiece model, even if joint is true.
  const bool is_pieces = tokenizer.kind == TokenizerKind::pieces;
  if (tokenizer.joint && !is_pieces && source && target &&
      tokenizer.source_vocab != tokenizer.target_vocab) {
    found.push_back({{"tokenizer.source_vocab", "tokenizer.target_vocab", "tokenizer.joint"},
                     "a joint vocabulary is one file, but these are two",
                     "set both to the same file, or tokenizer.joint to false"});
  }
  if (source != target && !(source && tokenizer.joint && !is_pieces)) {
    found.push_back({{"tokenizer.source_vocab", "tokenizer.target_vocab"},
                     "only one of them is given",
                     "set both or neither"});
  }
}

void check_symbols(const std::string& key, const std::vector<std::string>& symbols,
                   TokenizerKind kind, Violations& found) {
  if (!symbols.empty() && kind != TokenizerKind::sentencepiece)
    found.push_back({{key, "tokenizer.kind"},
                     "only SentencePiece vocabularies have symbols",
                     "set kind to sentencepiece, or remove the symbols"});
  for (const std::string& symbol : symbols) {
    if (symbol.empty() || symbol.find_first_of(" \t") != std::string::npos)
      found.push_back(
          {{key}, "'" + symbol + "' is empty or contains white space", "use a symbol without it"});
  }
}

bool contains(std::span<const std::string> texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

/// Returns whether the text is the piece of a byte, such as <0x41>.
bool is_byte_piece(const std::string& text) {
  static const std::regex form("<0x[0-9A-F]{2}>");
  return std::regex_match(text, form);
}

/// Checks a token that a field adds to those that every vocabulary of the config has.
void check_added_token(const std::string& key, const std::string& token,
                       const TokenizerConfig& tokenizer, Violations& found) {
  const std::array special{tokenizer.pad_token, tokenizer.bos_token, tokenizer.eos_token,
                           tokenizer.unk_token};
  if (contains(special, token))
    found.push_back(
        {{key}, "'" + token + "' is a special token already", "remove it, or use another symbol"});
  else if (tokenizer.byte_fallback && is_byte_piece(token))
    found.push_back({{key, "tokenizer.byte_fallback"},
                     "'" + token + "' is the token of a byte already",
                     "remove it, or set byte_fallback to false"});
}

/// Checks the symbols and the tags. SentencePiece refuses a token that is given twice, but only
/// after it has read all text.
void check_added_tokens(const Config& config, Violations& found) {
  const TokenizerConfig& tokenizer = config.tokenizer;
  const std::span all(tokenizer.symbols);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (contains(all.first(i), all[i]))
      found.push_back(
          {{"tokenizer.symbols"}, "'" + all[i] + "' is given twice", "remove one of them"});
    else
      check_added_token("tokenizer.symbols", all[i], tokenizer, found);
  }
  for (const std::string& text : config.data.tags) {
    if (const auto named = parse_named_tag(text))
      check_added_token("data.tags", named->tag, tokenizer, found);
  }
}

/// Checks the control symbols as check_added_tokens checks the symbols.
void check_control_symbols(const Config& config, Violations& found) {
  const TokenizerConfig& tokenizer = config.tokenizer;
  const bool has_tags = std::ranges::all_of(
      config.data.tags, [](const std::string& text) { return parse_named_tag(text).has_value(); });
  const auto symbols = has_tags ? source_symbols(config) : tokenizer.symbols;
  const std::span all(tokenizer.control_symbols);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (contains(tokenizer.symbols, all[i]))
      found.push_back({{"tokenizer.control_symbols", "tokenizer.symbols"},
                       "'" + all[i] + "' is in both",
                       "text either is encoded to a symbol or is not: remove one of them"});
    else if (contains(symbols, all[i]) || contains(all.first(i), all[i]))
      found.push_back({{"tokenizer.control_symbols"},
                       "'" + all[i] + "' is a token already",
                       "remove it, or use another symbol"});
    else
      check_added_token("tokenizer.control_symbols", all[i], tokenizer, found);
  }
}

/// Checks the fields that only a SentencePiece vocabulary has which the run learns.
void check_sentencepiece_fields(const Config& config, Violations& found) {
  const TokenizerConfig& tokenizer = config.tokenizer;
  if (!config.data.tags.empty() && tokenizer.kind != TokenizerKind::sentencepiece)
    found.push_back({{"data.tags", "tokenizer.kind"},
                     "tags need a SentencePiece vocabulary",
                     "set kind to sentencepiece"});
  const auto marking = find_modifier(config.data, writes_symbols);
  if (marking && tokenizer.kind != TokenizerKind::sentencepiece) {
    const std::string name(info_of(*marking).name);
    found.push_back({{"data.modifiers", "tokenizer.kind"},
                     "the modifier " + name + " needs a SentencePiece vocabulary",
                     "set kind to sentencepiece, or remove " + name});
  }
  // The characters of noise are those of all scripts, of which a vocabulary knows only some.
  const bool spells_all = tokenizer.byte_fallback || !tokenizer.source_vocab.empty();
  const auto noise = find_modifier(config.data, writes_noise);
  if (noise && !spells_all && config.training.init_from.empty()) {
    const std::string name(info_of(*noise).name);
    found.push_back({{"data.modifiers", "tokenizer.byte_fallback"},
                     "the characters of " + name + " would be unknown to the vocabulary",
                     "set byte_fallback to true, or remove " + name});
  }
  check_symbols("tokenizer.symbols", tokenizer.symbols, tokenizer.kind, found);
  check_symbols("tokenizer.control_symbols", tokenizer.control_symbols, tokenizer.kind, found);
  check_added_tokens(config, found);
  check_control_symbols(config, found);
  constexpr std::array rules{"nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"};
  const auto& rule = tokenizer.normalization;
  if (std::ranges::find(rules, rule) == rules.end() && !tokenizer.has_normalization_file())
    found.push_back({{"tokenizer.normalization"},
                     "'" + rule + "' is not a rule",
                     "use nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf, identity or a .tsv file"});
}

/// A method of subword sampling, and the subword algorithm that it needs.
struct SubwordSampling {
  std::string key;
  SubwordAlgorithm algorithm;
  std::string name;  // name of the algorithm in configs
  std::string other_key;
};

void require_algorithm(const TokenizerConfig& tokenizer, const SubwordSampling& sampling,
                       Violations& found) {
  switch (tokenizer.kind) {
    case TokenizerKind::pieces:
      found.push_back({{sampling.key, "tokenizer.kind"},
                       "the kind pieces does not support subword sampling",
                       "set it to 0"});
      return;
    case TokenizerKind::word:
      found.push_back(
          {{sampling.key, "tokenizer.kind", "tokenizer.algorithm"},
           "it samples the subwords of " + sampling.name + ", but the kind word has no subwords",
           "set it to 0"});
      return;
    case TokenizerKind::sentencepiece:
      if (tokenizer.algorithm == sampling.algorithm) return;
      found.push_back({{sampling.key, "tokenizer.kind", "tokenizer.algorithm"},
                       "it samples the subwords of " + sampling.name,
                       "set it to 0, use " + sampling.other_key + ", or set the algorithm to " +
                           sampling.name});
  }
}

}  // namespace

void check_vocabularies(const Config& config, Violations& found) {
  check_vocabulary_files(config, found);
  check_sentencepiece_fields(config, found);
  const TokenizerConfig& tokenizer = config.tokenizer;
  if (config.data.bpe_dropout > 0)
    require_algorithm(
        tokenizer, {"data.bpe_dropout", SubwordAlgorithm::bpe, "bpe", "data.unigram_alpha"}, found);
  if (config.data.unigram_alpha > 0)
    require_algorithm(
        tokenizer, {"data.unigram_alpha", SubwordAlgorithm::unigram, "unigram", "data.bpe_dropout"},
        found);
  if (config.data.bidirectional && !tokenizer.joint) {
    found.push_back({{"data.bidirectional", "tokenizer.joint"},
                     "a model for both directions needs a joint vocabulary",
                     "set tokenizer.joint to true"});
  }
}

void check_special_tokens(const TokenizerConfig& tokenizer, Violations& found) {
  const std::array<std::pair<std::string, std::string>, 4> tokens = {
      {{"tokenizer.pad_token", tokenizer.pad_token},
       {"tokenizer.bos_token", tokenizer.bos_token},
       {"tokenizer.eos_token", tokenizer.eos_token},
       {"tokenizer.unk_token", tokenizer.unk_token}}};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& [key, token] = tokens[i];
    // A vocabulary of words does not need an unknown token.
    if (token.empty() && key == "tokenizer.unk_token" && tokenizer.kind == TokenizerKind::word)
      continue;
    if (token.empty() || token.find_first_of(" \t\r\n") != std::string::npos) {
      found.push_back(
          {{key}, "'" + token + "' is not a token", "use one word without white space"});
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (tokens[j].second == token)
        found.push_back(
            {{tokens[j].first, key}, "both are '" + token + "'", "use different tokens"});
    }
  }
}

}  // namespace tfm
