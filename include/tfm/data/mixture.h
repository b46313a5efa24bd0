// Says how many pairs an epoch draws from each set of a corpus. Pairs are drawn from a set pass
// after pass: each pass is a random permutation of the set, and an epoch continues in a set where
// the one before it stopped. Like the order of an epoch, this is computed and not stored.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tfm/config/data_sets.h"

namespace tfm {

/// The examples [begin, end) of a corpus.
struct CorpusSet {
  std::string name;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
};

/// Returns the set that has the example with this index, or nullptr if no set has it.
const CorpusSet* find_set(std::span<const CorpusSet> sets, std::int64_t index);

/// Draws `first` to `first + count - 1` of all draws from one set, counted from 0.
struct SetDraws {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

class Mixture {
 public:
  /// An epoch draws every example of a corpus once.
  explicit Mixture(std::int64_t size)
      : sets_{{"", 0, size}}, stages_{{.shares = {{"", 1}}, .until = "", .epochs = 0}} {}

  /// Without stages, an epoch draws from sets of n examples in proportion to n^(1/temperature), and
  /// from the largest set each example once; with a temperature of 1, that is every example of
  /// every set. The last stage lasts until the run ends. All sets of the stages must exist, and
  /// none may be empty.
  Mixture(std::vector<CorpusSet> sets, std::vector<DataStage> stages, double temperature = 1);

  const std::vector<CorpusSet>& sets() const { return sets_; }
  /// Returns what an epoch draws from each set.
  std::vector<SetDraws> draws(std::int64_t epoch) const;
  /// Returns the number of pairs of the first `epochs` epochs.
  std::int64_t size_of_epochs(std::int64_t epochs) const;
  /// Returns the number of pairs of an epoch.
  std::int64_t size(std::int64_t epoch) const;

 private:
  std::int64_t drawn_before(const DataStage& stage, std::size_t set, std::int64_t epoch) const;

  std::vector<CorpusSet> sets_;
  std::vector<DataStage> stages_;
};

}  // namespace tfm
