// Which target tokens translate a source token, learned from pairs of sentences: IBM Model 1 (Brown
// et al. 1993), its probabilities found by expectation maximisation. Only tokens that occur in one
// pair together have a probability. Deterministic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/data/corpus.h"

namespace tfm {

class LexicalTable {
 public:
  /// Source tokens are below source_size. Target tokens that nothing in the sentence explains fall
  /// to an empty source word of its own.
  LexicalTable(std::span<const Example> examples, std::int64_t source_size);

  /// The likeliest translations of a source token, best first, ties by the lower token; fewer than
  /// `count` where fewer occurred with it.
  std::vector<TokenId> best(TokenId source, std::int64_t count) const;

 private:
  /// One source token's translations. targets: ascending.
  struct Entry {
    std::vector<TokenId> targets;
    std::vector<float> probabilities;
  };

  void collect(std::span<const Example> examples);
  void reestimate(std::span<const Example> examples);
  std::size_t place(const Entry& entry, TokenId target) const;

  std::vector<Entry> entries_;  // by source token; the last is the empty word's
};

}  // namespace tfm
