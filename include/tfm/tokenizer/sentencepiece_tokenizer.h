// Subwords by a SentencePiece model (Kudo and Richardson 2018): trained by tfm or brought along.
// The special ids are the model's own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tfm/tokenizer/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace tfm {

/// model: the bytes of a .model file. Returns false if they are not a SentencePiece model.
bool load_sentencepiece(const std::string& model, sentencepiece::SentencePieceProcessor& processor);

class SentencePieceTokenizer : public Tokenizer {
 public:
  /// model: the bytes of a .model file. where: what errors name. Throws DataError if it is not a
  /// SentencePiece model, or one without a padding id.
  explicit SentencePieceTokenizer(std::string model,
                                  std::string_view where = "SentencePiece model");
  ~SentencePieceTokenizer() override;

  /// Throws DataError, also if the file can't be read.
  static std::shared_ptr<const SentencePieceTokenizer> read(const std::filesystem::path& file);

  /// unknown receives the characters that no piece covers; with byte fallback there are none.
  TokenIds encode(std::string_view text,
                  std::vector<std::string>* unknown = nullptr) const override;
  /// A BPE model leaves each merge out with probability `strength` (Provilkov et al. 2020), a
  /// unigram model draws a division with probability P^strength, up to a constant (Kudo 2018).
  TokenIds sample(std::string_view text, double strength) const override;
  std::string decode(std::span<const TokenId> ids) const override;

  std::int64_t size() const override;
  const SpecialTokens& special() const override { return special_; }
  std::string piece(TokenId id) const override;
  bool starts_word(TokenId id) const override;
  /// folder/stem.model, byte for byte the model that was given.
  void save(const std::filesystem::path& folder, std::string_view stem) const override;

 private:
  std::string model_;
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  SpecialTokens special_;
};

}  // namespace tfm
