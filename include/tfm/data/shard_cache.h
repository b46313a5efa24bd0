// Prepares training data that is too large for memory: encodes it part by part into shards
// (shard.h) in a folder, the cache. A shard's name says what it was made of (text, vocabulary,
// settings), so it is made once, for all runs and ranks, and an interrupted preparation continues
// where it stopped. A list of the shards of a text, with the sizes and times of its files, lets a
// later start skip reading the text. Runs that encode the text again in every epoch also need the
// text itself, which is beside the shards (text_shard.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tfm/data/corpus.h"
#include "tfm/data/numbered_pairs.h"
#include "tfm/data/text_parts.h"

namespace tfm {

/// What to prepare. The pointers must outlive the preparation.
struct ShardRequest {
  ParallelFiles files;
  const TokenizerPair* tokenizers = nullptr;
  const DataConfig* config = nullptr;
  std::filesystem::path cache;
  /// A cache that is used if it lacks nothing, such as another user's; empty for none.
  std::filesystem::path read_only{};
  std::int64_t threads = 1;
  bool reversed = false;                ///< whether source and target are exchanged
  std::string tag{};                    ///< what source sentences begin with
  bool with_text = false;               ///< whether the text itself is needed, too
  std::filesystem::path links{};        ///< of the links between words of the text; may be empty
  const ParallelText* valid = nullptr;  ///< to be searched for in the text; null for none
  PartSizes sizes{};
};

/// What is known of the text besides its examples.
struct TextFacts {
  std::int64_t pairs = 0;  ///< usable pairs, before limits of length
  TextSum source{};        ///< of the usable pairs
  TextSum target{};
  TextSum links{};          ///< of the links between their words, if the request names them
  std::int64_t shared = 0;  ///< the number of validation pairs that are also in the text
  std::vector<Skipped> skipped{};

  /// Returns checksum(ParallelText) of the text.
  std::uint32_t checksum() const;
};

struct ShardedText {
  Corpus corpus;
  TextFacts facts;
  std::shared_ptr<const PairsInShards> text{};  ///< nullptr unless the request is with text
  std::int64_t made = 0;  ///< the number of shards, with or without text, that this call made
};

/// Returns the examples of a text in shards, which are made if they are not in the cache. Shows
/// progress. Waits while another process prepares in the same cache. A damaged shard is reported
/// and made again. Throws DataError as encode_corpus does, ModelError if the cache can't be
/// written, and Interrupted if a signal arrives; what was made is kept.
ShardedText prepare_shards(const ShardRequest& request);

/// Returns a name for what follows from the files of a text, as they are now, and from `settings`;
/// nullopt if a file changed so recently that another change could go unnoticed.
std::optional<std::string> text_key(const ParallelFiles& files, const std::string& settings);

}  // namespace tfm
