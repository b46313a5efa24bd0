#include "tfm/tokenizer/mapped_sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <stdexcept>

#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"

namespace tfm {
namespace {

constexpr std::string_view word_boundary = "\u2581";

/// Returns the language tag at the start of the text (">>fra<<"), or an empty view if the text has
/// no tag.
std::string_view language_tag(std::string_view text) {
  const auto end = text.substr(0, text.find(' ')).find("<<");
  return text.starts_with(">>") && end != std::string_view::npos ? text.substr(0, end + 2)
                                                                 : std::string_view();
}

}  // namespace

MappedSentencePieceTokenizer::MappedSentencePieceTokenizer(std::string model, Vocab vocab,
                                                           std::string_view where)
    : model_(std::move(model)),
      processor_(std::make_unique<sentencepiece::SentencePieceProcessor>()),
      vocab_(std::move(vocab)) {
  if (!load_sentencepiece(model_, *processor_))
    throw DataError(where, "is not a SentencePiece model", "Use another copy.");
}

MappedSentencePieceTokenizer::~MappedSentencePieceTokenizer() = default;

std::shared_ptr<const MappedSentencePieceTokenizer> MappedSentencePieceTokenizer::read(
    const std::filesystem::path& file, const TokenizerConfig& names) {
  auto vocab = Vocab::read(std::filesystem::path(file).replace_extension(".vocab"), names);
  try {
    return std::make_shared<const MappedSentencePieceTokenizer>(read_file(file), std::move(vocab),
                                                                file.string());
  } catch (const ModelError& error) {
    throw DataError("", error.what());
  }
}

TokenIds MappedSentencePieceTokenizer::encode(std::string_view text,
                                              std::vector<std::string>* unknown) const {
  TokenIds ids;
  if (const auto tag = vocab_.find(language_tag(text))) {
    ids.push_back(*tag);
    text.remove_prefix(vocab_.token(*tag).size());
  }
  std::vector<std::string> pieces;
  if (const auto status = processor_->Encode(text, &pieces); !status.ok())
    throw std::runtime_error("SentencePiece can't encode: " + status.ToString());
  for (const auto& piece : pieces) {
    const auto id = vocab_.find(piece);
    if (id && !special().contains(*id)) {
      ids.push_back(*id);
      continue;
    }
    if (special().unk >= 0) ids.push_back(special().unk);
    if (unknown != nullptr) unknown->push_back(piece);
  }
  return ids;
}

std::string MappedSentencePieceTokenizer::decode(std::span<const TokenId> ids) const {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) {
    if (!special().contains(id)) pieces.push_back(vocab_.token(id));
  }
  std::string text;
  if (const auto status = processor_->Decode(pieces, &text); !status.ok())
    throw std::out_of_range("SentencePiece can't decode: " + status.ToString());
  // SentencePiece's Decode keeps the word-boundary marker of pieces that this side's model does not
  // know, so the markers are replaced by spaces here.
  for (auto at = text.find(word_boundary); at != std::string::npos;
       at = text.find(word_boundary, at))
    text.replace(at, word_boundary.size(), " ");
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

std::uint32_t MappedSentencePieceTokenizer::encoding_checksum() const {
  Crc32 sum(vocab_.checksum());
  sum.add(model_);
  return sum.value();
}

void MappedSentencePieceTokenizer::save(const std::filesystem::path& folder,
                                        std::string_view stem) const {
  write_file(folder / (std::string(stem) + ".model"), model_);
  vocab_.write(folder / (std::string(stem) + ".vocab"));
}

}  // namespace tfm
