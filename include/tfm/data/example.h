// One training example: the token ids of a sentence pair, without padding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "tfm/tokenizer/vocab.h"

namespace tfm {

/// The numbers of tokens of an example, as Example stores them.
struct ExampleLengths {
  std::int64_t source = 0;  ///< S
  std::int64_t target = 0;  ///< T without eos

  /// Returns max(S, T): the number of tokens of the longer side, including eos of the target.
  std::int64_t longest() const { return std::max(source, target + 1); }
  /// Returns the length that a batch counts the example with: `fixed`, to which it is padded, or
  /// longest() if `fixed` is 0.
  std::int64_t in_batch(std::int64_t fixed) const { return fixed > 0 ? fixed : longest(); }
};

/// The source ends with eos if DataConfig.source_eos is set. The target has neither bos nor eos,
/// because batches add them.
struct Example {
  TokenIds source;
  TokenIds target;
  std::int64_t line = 0;  ///< line number in the file or files, from 1; 0 if unknown

  ExampleLengths lengths() const { return {std::ssize(source), std::ssize(target)}; }
  /// Returns lengths().longest().
  std::int64_t length() const { return lengths().longest(); }
  bool operator==(const Example&) const = default;
};

}  // namespace tfm
