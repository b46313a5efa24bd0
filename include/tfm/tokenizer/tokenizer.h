// Raw text <-> token ids, for one side of a language pair. Implementations: WordTokenizer
// (whitespace), SentencePieceTokenizer, MappedSentencePieceTokenizer (imported models). encode adds
// no special token; decode leaves special tokens out, so that decode(encode(x)) is x as a reader
// would write it.
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

  /// unknown, where given, receives every piece of text that the vocabulary does not cover, once a
  /// mention.
  virtual TokenIds encode(std::string_view text,
                          std::vector<std::string>* unknown = nullptr) const = 0;
  /// encode with a division into subwords that is drawn at random, where the tokenizer has several
  /// (see SentencePieceTokenizer); else encode. strength: 0 is encode.
  virtual TokenIds sample(std::string_view text, [[maybe_unused]] double strength) const {
    return encode(text);
  }
  virtual std::string decode(std::span<const TokenId> ids) const = 0;

  virtual std::int64_t size() const = 0;
  virtual const SpecialTokens& special() const = 0;
  /// The token as it is stored ("▁Haus", "bier", "<s>").
  virtual std::string piece(TokenId id) const = 0;
  /// Whether the token is the first of a word, so that a word is such a token and those after it
  /// that are not.
  virtual bool starts_word(TokenId id) const = 0;
  /// Writes the tokenizer into folder under a name of its kind: "source.vocab", "joint.model".
  virtual void save(const std::filesystem::path& folder, std::string_view stem) const = 0;
};

/// Seeds what sample draws from on this thread. Works only where the thread has not drawn yet, and
/// for one thread at a time: SentencePiece keeps a generator for each thread, which takes the seed
/// that stands in one global place when it is first used.
void seed_sampling(std::uint32_t seed);

/// For each token the number of its word, from 0. A first token that begins no word belongs to word
/// 0 all the same.
std::vector<std::int64_t> word_ids(const Tokenizer& tokenizer, std::span<const TokenId> ids);

/// The id of the token that is stored as `piece`, or nothing.
std::optional<TokenId> find_piece(const Tokenizer& tokenizer, std::string_view piece);

/// What `other` has otherwise than `first`, in words: the first token, their number, or which are
/// the marks. Nothing if ids mean the same to both.
std::optional<std::string> vocabulary_difference(const Tokenizer& first, const Tokenizer& other);

/// Both sides; one object twice where the vocabulary is joint.
struct TokenizerPair {
  std::shared_ptr<const Tokenizer> source;
  std::shared_ptr<const Tokenizer> target;

  bool joint() const { return source == target; }
};

/// Makes the tokenizers a config asks for: from its vocabulary files or SentencePiece models
/// (source_vocab, target_vocab) where it names them, else trained on the lines. Throws DataError
/// where they can't be made (a SentencePiece vocabulary larger than the text allows says which size
/// works).
TokenizerPair build_tokenizers(const TokenizerConfig& config,
                               const std::vector<std::string>& source_lines,
                               const std::vector<std::string>& target_lines);

/// Files: joint.model | source.model + target.model (SentencePiece), joint.vocab | source.vocab +
/// target.vocab (words), all four of source and target (pieces).
void save_tokenizers(const TokenizerPair& tokenizers, const std::filesystem::path& folder);

/// Reads what save_tokenizers wrote. Throws ModelError where a file is missing or broken.
TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder);

}  // namespace tfm
