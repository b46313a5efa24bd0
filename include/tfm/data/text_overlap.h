// Finds validation data that is training data, too. Scores on it show how well the model remembers
// its training text, not how well it translates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "tfm/data/corpus.h"

namespace tfm {

/// Returns the number of pairs of `some` that are also in `text`. Compares 64-bit hashes.
std::int64_t count_shared_pairs(const ParallelText& some, const ParallelText& text);

/// Counts in the same way while `text` is read pair by pair.
class SharedPairCounter {
 public:
  /// `some` must outlive the counter.
  explicit SharedPairCounter(const ParallelText& some);
  void add(std::string_view source, std::string_view target);
  std::int64_t count() const;

 private:
  const ParallelText& some_;
  std::unordered_set<std::size_t> wanted_;
  std::unordered_set<std::size_t> found_;
};

/// Returns a warning if validation files are training files, under whatever name; otherwise an
/// empty string. Its first line describes the problem, the second says what to do.
std::string describe_shared_files(const ParallelFiles& validation, const ParallelFiles& training);

}  // namespace tfm
