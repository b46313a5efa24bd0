// Cleans a corpus: reads pairs, applies the rules on several threads, and passes kept and dropped
// pairs on in their order. The result depends neither on the number of threads nor on the memory.
// Memory use does not depend on the size of the corpus. The exception is one bit per pair and rule
// about duplicates, once their keys are on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "tfm/corpus/pair_scorer.h"
#include "tfm/corpus/pair_source.h"
#include "tfm/corpus/rules.h"

namespace tfm {

/// Receives the pairs, in their order.
class PairSink {
 public:
  virtual ~PairSink() = default;
  virtual void keep(const CorpusPair& pair) = 0;
  /// `rule` is an index of rules().
  virtual void drop(const CorpusPair& pair, std::size_t rule) = 0;
};

/// The steps of cleaning. The last two are needed only if keys of duplicates are on disk.
enum class CleaningStep { check, find_duplicates, write };

struct CleaningProgress {
  CleaningStep step = CleaningStep::check;
  std::int64_t pairs = 0;         ///< done in this step
  std::optional<double> share{};  ///< of the step, from 0 to 1; nullopt if it is unknown
};

struct CleaningOptions {
  std::int64_t threads = 0;                   ///< 0: one per CPU
  std::size_t memory = std::size_t{1} << 30;  ///< bytes for the keys of duplicates
  std::filesystem::path scratch;  ///< temporary files get names like this one, in its folder
  std::function<void(const CleaningProgress&)> on_progress;  ///< may be empty
  PairScorer* scorer = nullptr;                              ///< needed if a rule of a model is on
};

/// The number of dropped pairs that are kept as examples of each rule.
inline constexpr std::size_t most_examples = 10;

struct CleaningCounts {
  std::int64_t pairs = 0;
  std::int64_t kept = 0;
  std::vector<std::int64_t> dropped;  ///< by rule
  /// by rule: a uniform sample of at most most_examples dropped pairs, in their order
  std::vector<std::vector<CorpusPair>> examples;
  std::int64_t unscored = 0;  ///< pairs that the rules of models saw and could not measure
  bool used_disk = false;     ///< true if the keys of duplicates exceeded the memory
};

/// Throws as the source and the sink do, and Interrupted if a signal arrives.
CleaningCounts clean_pairs(PairSource& source, const RuleSet& rules, PairSink& sink,
                           const CleaningOptions& options);

}  // namespace tfm
