// A lexical shortlist (Jean et al. 2015): for each source token the target tokens that may
// translate it, so that a batch's output projection, softmax and search need only look at those of
// its sentences instead of the whole vocabulary. One file in the model's folder;
// docs/file-formats.md has its format.
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
  std::int64_t per_token = 50;  ///< likeliest translations of each source token
  /// tokens of the target that are frequent enough to be offered always
  std::int64_t frequent = 50;
};

class Shortlist {
 public:
  /// of_source: by source token. always: offered whatever the source is. Ids of both are the target
  /// vocabulary's.
  Shortlist(std::vector<TokenIds> of_source, TokenIds always);

  /// What the whole target vocabulary is reduced to for these sentences: ascending, each once.
  TokenIds of(std::span<const TokenIds> sources) const;

  /// Writes atomically, with the vocabularies' checksums. Throws ModelError.
  void write(const std::filesystem::path& file, const TokenizerPair& tokenizers) const;
  /// Throws ModelError where the file is missing, malformed, or of other vocabularies than these.
  static Shortlist read(const std::filesystem::path& file, const TokenizerPair& tokenizers);

 private:
  std::vector<TokenIds> of_source_;
  TokenIds always_;
};

/// The likeliest translations by a LexicalTable and the same piece of text, where the target has
/// it; always: the frequent tokens and marks. Of a large corpus some 200,000 pairs, evenly spread,
/// are learned from.
Shortlist learn_shortlist(const Corpus& corpus, const TokenizerPair& tokenizers,
                          const ShortlistLimits& size);

/// The share of the corpus's target tokens that the shortlist of their own sentence holds; of a
/// large corpus, of the same pairs as above.
double coverage(const Shortlist& shortlist, const Corpus& corpus);

/// The file that decoding.shortlist names for the model in this folder; nothing where it is `none`.
/// Throws ModelError where it is not there.
std::optional<std::filesystem::path> shortlist_path(const std::filesystem::path& model,
                                                    const DecodingConfig& decoding);
/// What it holds. Throws ModelError.
std::optional<Shortlist> load_shortlist(const std::filesystem::path& model,
                                        const TokenizerPair& tokenizers,
                                        const DecodingConfig& decoding);

}  // namespace tfm
