// A vocabulary list, which maps tokens to ids 0..size-1 in file order and finds the special tokens
// by name. The unknown token may be absent (the toy corpus of docs/models.md has none). Words that
// are not in the list then have no id.
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

/// The ids of the special tokens. `unk` is -1 if the vocabulary has no unknown token. In a source
/// vocabulary, `bos` and `eos` may be -1, too.
struct SpecialTokens {
  TokenId pad = -1;
  TokenId bos = -1;
  TokenId eos = -1;
  TokenId unk = -1;

  /// Returns true if `id` is a special token.
  bool contains(TokenId id) const { return id == pad || id == bos || id == eos || id == unk; }
  bool operator==(const SpecialTokens&) const = default;
};

/// Texts that are read one after the other without being copied, such as the source and the target
/// lines for a joint vocabulary.
using Texts = std::vector<std::span<const std::string>>;

class Vocab {
 public:
  /// Creates the list. `tokens` are in the order of their ids. Throws DataError (where:line) if a
  /// token is a duplicate, is empty or contains white space, or if the padding token is missing.
  Vocab(std::vector<std::string> tokens, const TokenizerConfig& names,
        std::string_view where = "vocabulary");

  /// Reads one token per line, in UTF-8. Throws DataError as the constructor does, and if the file
  /// cannot be read or is not UTF-8.
  static Vocab read(const std::filesystem::path& file, const TokenizerConfig& names);
  /// Builds a list of the special tokens, followed by the whitespace-separated words that occur at
  /// least config.min_count times, by decreasing count, then by bytes. No word is added beyond
  /// config.vocab_size tokens.
  static Vocab build(const Texts& texts, const TokenizerConfig& config);

  /// Writes one token per line. Throws ModelError if the file can't be written.
  void write(const std::filesystem::path& file) const;

  std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
  const std::string& token(TokenId id) const { return tokens_.at(static_cast<std::size_t>(id)); }
  /// Returns the id of the token, or nullopt if it is not in the list.
  std::optional<TokenId> find(std::string_view token) const;
  const SpecialTokens& special() const { return special_; }
  /// Returns a CRC-32 of the tokens and of which of them are special.
  std::uint32_t checksum() const;

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, TokenId> ids_;
  SpecialTokens special_;
};

}  // namespace tfm
