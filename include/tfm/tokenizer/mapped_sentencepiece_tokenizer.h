// Subwords by a SentencePiece model, numbered by a list of their own: how Marian's models come,
// whose two sides divide text each in its way and share one list. A language mark at the beginning
// of the text (">>fra<< How are you?") is one token where the list has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tfm/tokenizer/tokenizer.h"
#include "tfm/tokenizer/vocab.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace tfm {

class MappedSentencePieceTokenizer : public Tokenizer {
 public:
  /// model: the bytes of a .model file. where: what errors name. Throws DataError where it is no
  /// SentencePiece model.
  MappedSentencePieceTokenizer(std::string model, Vocab vocab,
                               std::string_view where = "SentencePiece model");
  ~MappedSentencePieceTokenizer() override;

  /// file: the SentencePiece model; the list stands beside it and ends in .vocab. Throws DataError.
  static std::shared_ptr<const MappedSentencePieceTokenizer> read(const std::filesystem::path& file,
                                                                  const TokenizerConfig& names);

  /// A piece that the list lacks becomes the unknown token, or is left out where the list has none.
  TokenIds encode(std::string_view text,
                  std::vector<std::string>* unknown = nullptr) const override;
  std::string decode(std::span<const TokenId> ids) const override;

  std::int64_t size() const override { return vocab_.size(); }
  const SpecialTokens& special() const override { return vocab_.special(); }
  std::string piece(TokenId id) const override { return vocab_.token(id); }
  bool starts_word(TokenId id) const override { return vocab_.token(id).starts_with("\u2581"); }
  /// folder/stem.model and folder/stem.vocab
  void save(const std::filesystem::path& folder, std::string_view stem) const override;

 private:
  std::string model_;
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  Vocab vocab_;
};

}  // namespace tfm
