// A lexical translation table: probabilities of target tokens for each source token, learned from
// sentence pairs by IBM Model 1 (Brown et al. 1993) with expectation maximisation. A source and a
// target token have a probability only if they occur in the same sentence pair. Training is
// deterministic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

class LexicalTable {
 public:
  /// Learns the table. All source tokens must be below `source_size`. Target tokens that no source
  /// token explains are attributed to an empty source word.
  LexicalTable(std::span<const Example> examples, std::int64_t source_size);

  /// Returns the `count` most probable translations of a source token, best first. Equally probable
  /// translations are in the order of their ids. Returns fewer if the source token occurred with
  /// fewer target tokens.
  std::vector<TokenId> best(TokenId source, std::int64_t count) const;

 private:
  /// The translations of one source token. `targets` is in ascending order.
  struct Entry {
    std::vector<TokenId> targets;
    std::vector<float> probabilities;
  };

  void collect(std::span<const Example> examples);
  void reestimate(std::span<const Example> examples);
  std::size_t target_index(const Entry& entry, TokenId target) const;

  std::vector<Entry> entries_;  // by source token; the last entry is that of the empty word
};

}  // namespace tfm
