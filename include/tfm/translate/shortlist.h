// A lexical shortlist (Jean et al. 2015): the target tokens that may translate each source token.
// The output projection, softmax and search of a batch then process only the candidate tokens of
// its sentences instead of the whole vocabulary. It is stored in the model folder, in the format
// that docs/file-formats.md describes.
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
  std::int64_t per_token = 50;  ///< most probable translations of each source token
  /// number of the most frequent target tokens, which are allowed in every batch
  std::int64_t frequent = 50;
};

class Shortlist {
 public:
  /// `of_source` lists the target tokens of each source token; `always` lists those that every
  /// batch may use. Both contain ids of the target vocabulary.
  Shortlist(std::vector<TokenIds> of_source, TokenIds always);

  /// Returns the target tokens that are allowed for these sentences, ascending and without
  /// duplicates.
  TokenIds allowed_tokens(std::span<const TokenIds> sources) const;

  /// Writes the file atomically, with the checksums of the vocabularies. Throws ModelError.
  void write(const std::filesystem::path& file, const TokenizerPair& tokenizers) const;
  /// Throws ModelError if the file is missing, malformed, or for other vocabularies than these.
  static Shortlist read(const std::filesystem::path& file, const TokenizerPair& tokenizers);

 private:
  std::vector<TokenIds> of_source_;
  TokenIds always_;
};

/// Learns the most probable translations with a LexicalTable and adds the same subword if the
/// target vocabulary has it. Frequent tokens and special tokens are always allowed. Large corpora
/// are reduced to at most 200,000 evenly spread pairs.
Shortlist learn_shortlist(const Corpus& corpus, const TokenizerPair& tokenizers,
                          const ShortlistLimits& size);

/// Returns the share of the corpus's target tokens that the shortlist allows for their own
/// sentence. Large corpora are reduced as in learn_shortlist.
double coverage(const Shortlist& shortlist, const Corpus& corpus);

/// Returns the path that decoding.shortlist names for the model in this folder, or nullopt if it is
/// `none`. Throws ModelError if the file does not exist.
std::optional<std::filesystem::path> shortlist_path(const std::filesystem::path& model,
                                                    const DecodingConfig& decoding);
/// Reads the shortlist at shortlist_path. Throws ModelError.
std::optional<Shortlist> load_shortlist(const std::filesystem::path& model,
                                        const TokenizerPair& tokenizers,
                                        const DecodingConfig& decoding);

}  // namespace tfm
