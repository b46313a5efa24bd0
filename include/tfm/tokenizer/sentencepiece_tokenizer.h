// SentencePiece segmentation (Kudo and Richardson 2018) with a model that tfm trained or the user
// supplied. Special tokens have the ids of that model.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tfm/tokenizer/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace tfm {

/// Loads the content of a .model file into the processor. Returns false if it is not a
/// SentencePiece model.
bool load_sentencepiece(const std::string& model, sentencepiece::SentencePieceProcessor& processor);

class SentencePieceTokenizer : public Tokenizer {
 public:
  /// Loads the model. `model` is the content of a .model file, `where` its name in error messages.
  /// Throws DataError if `model` is not a SentencePiece model or has no padding id.
  explicit SentencePieceTokenizer(std::string model,
                                  std::string_view where = "SentencePiece model");
  ~SentencePieceTokenizer() override;

  /// Reads a .model file. Throws DataError as the constructor does, or if the file can't be read.
  static std::shared_ptr<const SentencePieceTokenizer> read(const std::filesystem::path& file);

  /// Encodes the text. `unknown`, if given, receives the characters that no piece covers; with byte
  /// fallback, all characters are covered.
  TokenIds encode(std::string_view text,
                  std::vector<std::string>* unknown = nullptr) const override;
  /// Samples a segmentation. A BPE model skips each merge with probability `strength` (Provilkov et
  /// al. 2020); a unigram model samples a segmentation of probability P with a probability
  /// proportional to P^`strength` (Kudo 2018).
  TokenIds sample(std::string_view text, double strength) const override;
  std::string decode(std::span<const TokenId> ids) const override;

  std::int64_t size() const override;
  const SpecialTokens& special() const override { return special_; }
  std::string piece(TokenId id) const override;
  bool starts_word(TokenId id) const override;
  std::uint32_t encoding_checksum() const override;
  /// Writes folder/stem.model, with the bytes that the constructor was given.
  void save(const std::filesystem::path& folder, std::string_view stem) const override;

 private:
  std::string model_;
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  SpecialTokens special_;
};

}  // namespace tfm
