#include "tfm/tokenizer/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"

namespace tfm {

bool load_sentencepiece(const std::string& model,
                        sentencepiece::SentencePieceProcessor& processor) {
  try {
    return !model.empty() && processor.LoadFromSerializedProto(model).ok();
  } catch (const std::exception&) {  // the pieces of a corrupt model may not form a trie
    return false;
  }
}

SentencePieceTokenizer::SentencePieceTokenizer(std::string model, std::string_view where)
    : model_(std::move(model)),
      processor_(std::make_unique<sentencepiece::SentencePieceProcessor>()) {
  if (!load_sentencepiece(model_, *processor_)) {
    throw DataError(where, "is not a SentencePiece model",
                    "Name a .model file, or set tokenizer.kind: word for a word list.");
  }
  special_ = {processor_->pad_id(), processor_->bos_id(), processor_->eos_id(),
              processor_->unk_id()};
  if (special_.pad < 0) {
    throw DataError(where, "the SentencePiece model has no padding id",
                    "Train it with --pad_id (such as --pad_id=0 --unk_id=3), or omit the file name "
                    "to let tfm train one.");
  }
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::int64_t SentencePieceTokenizer::size() const { return processor_->GetPieceSize(); }

std::string SentencePieceTokenizer::piece(TokenId id) const { return processor_->IdToPiece(id); }

bool SentencePieceTokenizer::starts_word(TokenId id) const {
  return processor_->IdToPiece(id).starts_with("\u2581");
}

std::shared_ptr<const SentencePieceTokenizer> SentencePieceTokenizer::read(
    const std::filesystem::path& file) {
  return std::make_shared<const SentencePieceTokenizer>(read_text_file(file), file.string());
}

TokenIds SentencePieceTokenizer::encode(std::string_view text,
                                        std::vector<std::string>* unknown) const {
  TokenIds ids;
  if (const auto status = processor_->Encode(text, &ids); !status.ok())
    throw std::runtime_error("SentencePiece can't encode: " + status.ToString());
  if (unknown != nullptr && std::ranges::find(ids, special_.unk) != ids.end()) {
    // The ids do not show which text they cover. SentencePiece finds that text in a second, slower
    // pass, which most lines do not need because they have no unknown tokens. `encoded` owns the
    // text that its pieces point to.
    const auto encoded = processor_->EncodeAsImmutableProto(text);
    for (const auto& piece : encoded.pieces()) {
      if (static_cast<TokenId>(piece.id()) != special_.unk) continue;
      // The text of a character that normalization divides (½) belongs to one of its pieces.
      unknown->push_back(piece.surface().empty() ? piece.piece() : piece.surface());
    }
  }
  return ids;
}

TokenIds SentencePieceTokenizer::sample(std::string_view text, double strength) const {
  if (strength <= 0) return encode(text);
  TokenIds ids;
  constexpr int all_segmentations = -1;
  const auto status =
      processor_->SampleEncode(text, all_segmentations, static_cast<float>(strength), &ids);
  if (!status.ok()) throw std::runtime_error("SentencePiece can't encode: " + status.ToString());
  return ids;
}

// Clears the highest bit, because SentencePiece interprets a seed with all bits set as "no seed".
void seed_sampling(std::uint32_t seed) {
  sentencepiece::SetRandomGeneratorSeed(seed & 0x7fffffffU);
}

std::string SentencePieceTokenizer::decode(std::span<const TokenId> ids) const {
  TokenIds pieces;
  std::ranges::copy_if(ids, std::back_inserter(pieces), [this](TokenId id) {
    return id != special_.unk && !processor_->IsControl(id);
  });
  std::string text;
  if (const auto status = processor_->Decode(pieces, &text); !status.ok())
    throw std::out_of_range("SentencePiece can't decode: " + status.ToString());
  return text;
}

std::uint32_t SentencePieceTokenizer::encoding_checksum() const {
  Crc32 sum;
  sum.add(model_);
  return sum.value();
}

void SentencePieceTokenizer::save(const std::filesystem::path& folder,
                                  std::string_view stem) const {
  write_file(folder / (std::string(stem) + ".model"), model_);
}

}  // namespace tfm
