// A tokenizer that splits text at white space and looks up each word in a vocabulary list. Text
// that spells a special token, such as "</s>", never becomes padding, bos or eos.
#pragma once

#include "tfm/tokenizer/tokenizer.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

class WordTokenizer : public Tokenizer {
 public:
  explicit WordTokenizer(Vocab vocab) : vocab_(std::move(vocab)) {}

  /// Encodes the text. A word that is not in the list or spells a special token becomes the unknown
  /// token, or is skipped if the list has no unknown token.
  TokenIds encode(std::string_view text,
                  std::vector<std::string>* unknown = nullptr) const override;
  /// Returns the words joined by spaces, without special tokens.
  std::string decode(std::span<const TokenId> ids) const override;

  std::int64_t size() const override { return vocab_.size(); }
  const SpecialTokens& special() const override { return vocab_.special(); }
  std::string piece(TokenId id) const override { return vocab_.token(id); }
  bool starts_word(TokenId) const override { return true; }
  std::uint32_t encoding_checksum() const override;
  /// Writes folder/stem.vocab.
  void save(const std::filesystem::path& folder, std::string_view stem) const override;

 private:
  Vocab vocab_;
};

}  // namespace tfm
