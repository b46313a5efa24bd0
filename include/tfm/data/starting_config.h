// Creates the config that `tfm config init` writes: a starting point, with values that suit the
// amount of parallel text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

/// The amount of parallel text.
struct CorpusSize {
  std::int64_t pairs = 0;         ///< sentence pairs
  std::int64_t source_bytes = 0;  ///< bytes of the source lines, without line ends
  std::int64_t target_bytes = 0;
  /// for each length of the longer side in bytes, the number of pairs
  std::map<std::int64_t, std::int64_t> pairs_by_bytes{};
};

/// Measures the pairs that can be trained on. Throws DataError if a file can't be read, if the
/// files differ in their number of lines, or if there is no such pair.
CorpusSize measure_corpus(const ParallelFiles& files);

/// Returns the number of subwords that suits a text of `bytes` bytes, which are those of both sides
/// for a joint vocabulary. With byte_fallback, adds the 256 entries that stand for bytes. Returns 0
/// if the text is too small to learn subwords from.
std::int64_t choose_vocab_size(std::int64_t bytes, bool byte_fallback = false);

/// Returns the name of the preset that suits a corpus of this size.
std::string choose_preset(std::int64_t pairs);

struct StartingFiles {
  ParallelFiles train;
  ParallelFiles valid;  ///< empty if there is no validation set
};

/// Returns the names of the presets that a starting config may have, the smallest first.
std::vector<std::string> starting_presets();

/// The choices of the user for a starting config.
struct StartingOptions {
  std::string preset;  ///< one of starting_presets(); empty for the one that suits the text
  double minutes = 0;  ///< how long training may take; 0 without a limit
};

/// Returns the config as YAML. Its comments explain each field and give reasons for chosen values.
std::string starting_config(const StartingFiles& files, const CorpusSize& size,
                            const StartingOptions& options);

}  // namespace tfm
