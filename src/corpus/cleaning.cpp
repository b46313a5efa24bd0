#include "tfm/corpus/cleaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>
#include <stdexcept>
#include <utility>

#include "duplicates.h"
#include "pair_spool.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/locked_scratch_folder.h"
#include "tfm/core/log.h"
#include "tfm/core/parallel.h"
#include "tfm/core/reservoir.h"

namespace tfm {
namespace {

constexpr std::size_t pairs_at_once = 8192;
constexpr std::size_t bytes_at_once = 4 << 20;
constexpr std::int64_t pairs_per_report = 1024;

struct CheckedPair {
  CorpusPair pair;
  std::optional<std::size_t> rule;
  std::vector<std::uint64_t> keys;
};

/// Pairs that are read, checked and written together. Their strings are reused.
struct Chunk {
  std::vector<CheckedPair> pairs;
  std::size_t size = 0;

  void read(PairSource& source) {
    size = 0;
    for (std::size_t bytes = 0; size < pairs_at_once && bytes < bytes_at_once; ++size) {
      if (size == pairs.size()) pairs.emplace_back();
      CorpusPair& pair = pairs[size].pair;
      if (!source.next(pair)) break;
      bytes += pair.source.size() + pair.target.size();
    }
  }
};

void stop_if_interrupted() {
  if (interrupt_requested()) throw Interrupted("interrupted: no output file was written");
}

/// Decides about duplicates and passes pairs on, one after the other.
class Decider {
 public:
  Decider(const RuleSet& rules, PairSink& sink, const CleaningOptions& options)
      : rules_(rules), sink_(sink), options_(options) {
    counts_.dropped.resize(tfm::rules().size());
    counts_.examples.resize(tfm::rules().size());
  }

  void add(const Chunk& chunk) {
    for (std::size_t i = 0; i < chunk.size; ++i) add(chunk.pairs[i]);
  }

  CleaningCounts finish() {
    if (spool_) replay();
    for (auto& examples : counts_.examples) std::ranges::sort(examples, {}, &CorpusPair::line);
    std::int64_t sum = counts_.kept;
    for (const std::int64_t count : counts_.dropped) sum += count;
    if (sum != counts_.pairs)
      throw std::logic_error(
          fmt::format("of {} pairs, {} were kept or dropped", counts_.pairs, sum));
    return std::move(counts_);
  }

 private:
  void add(const CheckedPair& checked) {
    ++counts_.pairs;
    if (!spool_ && finder_.is_full()) move_to_disk();
    if (spool_) {
      // A dropped pair has the number of its rule, as -1 - rule.
      spool_->write(checked.pair,
                    checked.rule ? -1 - static_cast<std::int64_t>(*checked.rule) : deferred_++);
      if (!checked.rule) finder_.defer(checked.keys);
      ++spooled_;
    } else if (checked.rule) {
      drop(checked.pair, *checked.rule);
    } else if (const auto duplicate = finder_.check(checked.keys)) {
      drop(checked.pair, rules_.duplicate_rules()[*duplicate]);
    } else {
      keep(checked.pair);
    }
  }

  void move_to_disk() {
    log_info(
        "the memory for duplicates is full after {} pairs: their keys and all further pairs "
        "are on disk until the end",
        counts_.pairs - 1);
    folder_.emplace(options_.scratch);
    finder_.move_to_disk(folder_->path());
    spool_.emplace(folder_->path() / "pairs");
    counts_.used_disk = true;
  }

  void replay() {
    finder_.resolve([this](double share) {
      report({CleaningStep::find_duplicates,
              static_cast<std::int64_t>(share * static_cast<double>(counts_.pairs)), share});
    });
    spool_->rewind();
    CorpusPair pair;
    std::int64_t number = 0;
    for (std::int64_t read = 0; spool_->read(pair, number); ++read) {
      if (read % pairs_per_report == 0)
        report(
            {CleaningStep::write, read, static_cast<double>(read) / static_cast<double>(spooled_)});
      if (number < 0) {
        drop(pair, static_cast<std::size_t>(-1 - number));
      } else if (const auto rule = finder_.verdict(static_cast<std::size_t>(number))) {
        drop(pair, rules_.duplicate_rules()[*rule]);
      } else {
        keep(pair);
      }
    }
  }

  void report(const CleaningProgress& progress) const {
    stop_if_interrupted();
    if (options_.on_progress) options_.on_progress(progress);
  }

  void keep(const CorpusPair& pair) {
    ++counts_.kept;
    sink_.keep(pair);
  }

  void drop(const CorpusPair& pair, std::size_t rule) {
    ++counts_.dropped[rule];
    if (const auto place = reservoirs_[rule].next()) {
      auto& examples = counts_.examples[rule];
      examples.resize(std::max(examples.size(), *place + 1));
      examples[*place] = pair;
    }
    sink_.drop(pair, rule);
  }

  const RuleSet& rules_;
  PairSink& sink_;
  const CleaningOptions& options_;
  DuplicateFinder finder_{rules_.duplicate_rules().size(), options_.memory};
  std::optional<LockedScratchFolder> folder_;
  std::optional<PairSpool> spool_;
  std::int64_t spooled_ = 0;   // pairs in spool_
  std::int64_t deferred_ = 0;  // those of them that no rule has dropped yet
  CleaningCounts counts_;
  std::vector<Reservoir> reservoirs_{tfm::rules().size(), Reservoir(most_examples)};
};

void check(Chunk& chunk, const RuleSet& rules, std::int64_t threads) {
  parallel_for(chunk.size, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      CheckedPair& checked = chunk.pairs[i];
      checked.keys.clear();
      checked.pair.score.reset();
      checked.rule = rules.check(checked.pair, checked.keys);
    }
  });
}

/// Applies the rules of models to the pairs of the chunk that passed all rules before them. Returns
/// the number of pairs of which the scorer lacks a measure that a rule needs.
std::int64_t check_scores(Chunk& chunk, const RuleSet& rules, PairScorer& scorer,
                          const std::function<void(double)>& on_share) {
  std::vector<const CorpusPair*> pairs;
  std::vector<CheckedPair*> checked;
  for (std::size_t i = 0; i < chunk.size; ++i) {
    if (chunk.pairs[i].rule) continue;
    pairs.push_back(&chunk.pairs[i].pair);
    checked.push_back(&chunk.pairs[i]);
  }
  if (pairs.empty()) return 0;
  const auto scores = scorer.score(pairs, on_share);
  std::int64_t unscored = 0;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    checked[i]->rule = rules.check_scores(scores[i], checked[i]->pair.score);
    if (checked[i]->rule) checked[i]->keys.clear();
    if (rules.needs_more_than(scores[i])) ++unscored;
  }
  return unscored;
}

}  // namespace

// While one chunk is checked, another thread passes the chunk before it on and reads the next.
CleaningCounts clean_pairs(PairSource& source, const RuleSet& rules, PairSink& sink,
                           const CleaningOptions& options) {
  Decider decider(rules, sink, options);
  Chunk current;
  Chunk other;  // the chunk before `current`, then the chunk after it
  CleaningProgress progress{.step = CleaningStep::check, .share = source.share_read()};
  current.read(source);
  auto share_after = source.share_read();  // when `current` will have been checked
  const auto report = [&](double share_of_chunk) {
    stop_if_interrupted();
    CleaningProgress now = progress;
    now.pairs += static_cast<std::int64_t>(share_of_chunk * static_cast<double>(current.size));
    if (now.share) *now.share += share_of_chunk * (*share_after - *now.share);
    if (options.on_progress) options.on_progress(now);
  };
  std::int64_t unscored = 0;
  while (current.size > 0) {
    stop_if_interrupted();
    auto beside = std::async(std::launch::async, [&] {
      decider.add(other);
      other.read(source);
    });
    check(current, rules, options.threads);
    if (rules.needs_scores()) unscored += check_scores(current, rules, *options.scorer, report);
    beside.get();
    progress.pairs += static_cast<std::int64_t>(current.size);
    progress.share = std::exchange(share_after, source.share_read());
    if (options.on_progress) options.on_progress(progress);
    std::swap(current, other);
  }
  decider.add(other);
  auto counts = decider.finish();
  counts.unscored = unscored;
  return counts;
}

}  // namespace tfm
