// SentencePiece segmentation with ids from a separate vocabulary list. Imported Marian models need
// this tokenizer, because each side has its own SentencePiece model, but both sides share one list.
// A language tag at the start of the text (">>fra<< How are you?") is a single token if the list
// contains the tag.
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
  /// Loads the model. `model` is the content of a .model file, `where` its name in error messages.
  /// Throws DataError if `model` is not a SentencePiece model.
  MappedSentencePieceTokenizer(std::string model, Vocab vocab,
                               std::string_view where = "SentencePiece model");
  ~MappedSentencePieceTokenizer() override;

  /// Reads a SentencePiece model, and its vocabulary list from the file with the same name and the
  /// extension .vocab. Throws DataError if a file is missing or malformed.
  static std::shared_ptr<const MappedSentencePieceTokenizer> read(const std::filesystem::path& file,
                                                                  const TokenizerConfig& names);

  /// Encodes the text. A piece that is not in the list or spells a special token becomes the
  /// unknown token, or is skipped if the list has no unknown token.
  TokenIds encode(std::string_view text,
                  std::vector<std::string>* unknown = nullptr) const override;
  std::string decode(std::span<const TokenId> ids) const override;

  std::int64_t size() const override { return vocab_.size(); }
  const SpecialTokens& special() const override { return vocab_.special(); }
  std::string piece(TokenId id) const override { return vocab_.token(id); }
  bool starts_word(TokenId id) const override { return vocab_.token(id).starts_with("\u2581"); }
  std::uint32_t encoding_checksum() const override;
  /// Writes folder/stem.model and folder/stem.vocab.
  void save(const std::filesystem::path& folder, std::string_view stem) const override;

 private:
  std::string model_;
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  Vocab vocab_;
};

}  // namespace tfm
