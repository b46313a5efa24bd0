// Converts raw text to token ids and back, for one side of a language pair. Implementations:
// WordTokenizer (white space), SentencePieceTokenizer, MappedSentencePieceTokenizer (imported
// models). encode adds neither bos nor eos, and decode skips all special tokens. If the vocabulary
// covers x, decode(encode(x)) is x with normalised white space and characters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/tokenizer/vocab.h"

namespace tfm {

class Tokenizer {
 public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  virtual ~Tokenizer() = default;

  /// Encodes the text. `unknown`, if given, receives each piece of text that the vocabulary does
  /// not cover, once per occurrence.
  virtual TokenIds encode(std::string_view text,
                          std::vector<std::string>* unknown = nullptr) const = 0;
  /// Encodes with a randomly sampled segmentation if the tokenizer supports sampling
  /// (SentencePieceTokenizer), otherwise like encode. A `strength` of 0 gives the result of encode.
  virtual TokenIds sample(std::string_view text, [[maybe_unused]] double strength) const {
    return encode(text);
  }
  /// Returns the text of the tokens, without special tokens.
  virtual std::string decode(std::span<const TokenId> ids) const = 0;

  /// Returns the number of tokens; ids are 0 to size() - 1.
  virtual std::int64_t size() const = 0;
  virtual const SpecialTokens& special() const = 0;
  /// Returns the token as it is stored ("▁Haus", "bier", "<s>").
  virtual std::string piece(TokenId id) const = 0;
  /// Returns true if the token is the first of a word. A word consists of such a token and the
  /// following tokens that do not start a word.
  virtual bool starts_word(TokenId id) const = 0;
  /// Returns a CRC-32 of everything that determines the ids of a text.
  virtual std::uint32_t encoding_checksum() const = 0;
  /// Writes the files of the tokenizer, such as "source.vocab" or "joint.model", into the folder.
  /// `stem` is their name without the extension, which depends on the kind of tokenizer.
  virtual void save(const std::filesystem::path& folder, std::string_view stem) const = 0;
};

/// Seeds the random generator of sample() on this thread. Must be called before the first sample()
/// of the thread, and by one thread at a time: SentencePiece has a generator per thread, and each
/// generator takes its seed from a global variable on first use.
void seed_sampling(std::uint32_t seed);

/// Returns the index of each token's word, from 0. Tokens before the first start of a word belong
/// to word 0, too.
std::vector<std::int64_t> word_ids(const Tokenizer& tokenizer, std::span<const TokenId> ids);

/// Returns the id of the token that is stored as `piece`, or nullopt.
std::optional<TokenId> find_piece(const Tokenizer& tokenizer, std::string_view piece);

/// Describes the first difference between two vocabularies: the number of tokens, a token, or the
/// special tokens. Returns nullopt if all tokens and the special tokens are the same in both.
std::optional<std::string> vocabulary_difference(const Tokenizer& first, const Tokenizer& other);

/// The tokenizers of both sides, which are the same object if the vocabulary is joint.
struct TokenizerPair {
  std::shared_ptr<const Tokenizer> source;
  std::shared_ptr<const Tokenizer> target;

  bool is_joint() const { return source == target; }
};

/// Creates the tokenizers of a config. They are read from the vocabulary files or SentencePiece
/// models that the config names (source_vocab, target_vocab), otherwise trained on the lines.
/// Throws DataError if a file cannot be used or training fails. If a SentencePiece vocabulary is
/// larger than the text allows, the message suggests a size that works. Throws ConfigError if two
/// files are named for a joint vocabulary, or no file for a tokenizer of kind `pieces`.
TokenizerPair build_tokenizers(const TokenizerConfig& config,
                               const std::vector<std::string>& source_lines,
                               const std::vector<std::string>& target_lines);

/// Writes the tokenizers into the folder. Kind `sentencepiece` writes joint.model, or source.model
/// and target.model. Kind `word` writes joint.vocab, or source.vocab and target.vocab. Kind
/// `pieces` writes source.model, source.vocab, target.model and target.vocab.
void save_tokenizers(const TokenizerPair& tokenizers, const std::filesystem::path& folder);

/// Reads the files of save_tokenizers. Throws ModelError if a file is missing or corrupt.
TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder);

}  // namespace tfm
