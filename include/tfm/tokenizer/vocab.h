// A word list: token <-> id, ids 0..size-1 in file order, with the special tokens known by name.
// The unknown token may be absent (the toy of the articles has none): then a word that is not in
// the list has no id.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

using TokenId = std::int32_t;
using TokenIds = std::vector<TokenId>;

/// Ids of the special tokens; unk is absent (-1) where the vocabulary has none. In a source
/// vocabulary bos and eos may be absent too.
struct SpecialTokens {
  TokenId pad = -1;
  TokenId bos = -1;
  TokenId eos = -1;
  TokenId unk = -1;

  /// Whether id is one of them.
  bool contains(TokenId id) const { return id == pad || id == bos || id == eos || id == unk; }
  bool operator==(const SpecialTokens&) const = default;
};

/// Texts to be read one after the other, without copying them together: both sides of a joint
/// vocabulary.
using Texts = std::vector<std::span<const std::string>>;

class Vocab {
 public:
  /// Tokens in id order. Throws DataError (where:line) on a duplicate, on a token that is empty or
  /// holds white space, and where the padding token is missing.
  Vocab(std::vector<std::string> tokens, const TokenizerConfig& names,
        std::string_view where = "vocabulary");

  /// One token a line, UTF-8. Throws DataError (file, line).
  static Vocab read(const std::filesystem::path& file, const TokenizerConfig& names);
  /// The special tokens, then every whitespace-separated word seen at least config.min_count times,
  /// by falling count, then by bytes; at most config.vocab_size in all.
  static Vocab build(const Texts& texts, const TokenizerConfig& config);

  /// Throws ModelError where the file can't be written.
  void write(const std::filesystem::path& file) const;

  std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
  const std::string& token(TokenId id) const { return tokens_.at(static_cast<std::size_t>(id)); }
  std::optional<TokenId> find(std::string_view token) const;
  const SpecialTokens& special() const { return special_; }

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, TokenId> ids_;
  SpecialTokens special_;
};

}  // namespace tfm
