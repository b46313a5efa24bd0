// A lexical shortlist (Jean et al. 2015): the target tokens that may translate each source token.
// With a shortlist, the output projection, softmax and search process only the candidate tokens of
// the sentences in a batch instead of the whole vocabulary. The shortlist is a file in the model
// folder; docs/file-formats.md describes its format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

inline constexpr const char* shortlist_file = "shortlist.safetensors";

struct ShortlistLimits {
  std::int64_t per_token = 50;  ///< number of translations to keep per source token
  /// number of most frequent target tokens that are allowed in every batch
  std::int64_t frequent = 50;
};

class Shortlist {
 public:
  /// `of_source` lists the target tokens of each source token. `always` lists the tokens that are
  /// allowed in every batch. Both contain ids of the target vocabulary.
  Shortlist(std::vector<TokenIds> of_source, TokenIds always);

  /// Returns the target tokens that are allowed for a batch of these source sentences, in ascending
  /// order and without duplicates.
  TokenIds allowed_tokens(std::span<const TokenIds> sources) const;

  /// Writes the file atomically, with the checksums of the vocabularies. Throws ModelError if the
  /// file cannot be written.
  void write(const std::filesystem::path& file, const TokenizerPair& tokenizers) const;
  /// Reads a shortlist. Throws ModelError if the file is missing or malformed, or was made for
  /// other vocabularies.
  static Shortlist read(const std::filesystem::path& file, const TokenizerPair& tokenizers);

 private:
  std::vector<TokenIds> of_source_;
  TokenIds always_;
};

/// Learns the most probable translations of each source token with a LexicalTable. Also allows the
/// target token with the same spelling, if there is one. Frequent tokens and special tokens are
/// always allowed. The table is learned from at most 200,000 sentence pairs, evenly spread over the
/// corpus.
Shortlist learn_shortlist(const Corpus& corpus, const TokenizerPair& tokenizers,
                          const ShortlistLimits& size);

/// Returns the share of the corpus's target tokens that the shortlist allows for the source
/// sentence of the same pair, measured on at most 200,000 evenly spread pairs. Returns 1 if the
/// corpus has no target tokens.
double coverage(const Shortlist& shortlist, const Corpus& corpus);

/// Returns the path of the shortlist that decoding.shortlist selects for the model in this folder,
/// or nullopt for `none`. Throws ModelError if the file does not exist.
std::optional<std::filesystem::path> shortlist_path(const std::filesystem::path& model,
                                                    const DecodingConfig& decoding);
/// Reads the file that shortlist_path returns, or returns nullopt if shortlist_path does. Throws
/// the exceptions of shortlist_path and Shortlist::read.
std::optional<Shortlist> load_shortlist(const std::filesystem::path& model,
                                        const TokenizerPair& tokenizers,
                                        const DecodingConfig& decoding);

}  // namespace tfm
