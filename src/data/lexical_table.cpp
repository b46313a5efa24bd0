#include "tfm/data/lexical_table.h"

#include <algorithm>
#include <numeric>

namespace tfm {
namespace {

constexpr int iterations = 5;

void sort_unique(std::vector<TokenId>& tokens) {
  std::ranges::sort(tokens);
  const auto duplicates = std::ranges::unique(tokens);
  tokens.erase(duplicates.begin(), duplicates.end());
}

}  // namespace

LexicalTable::LexicalTable(std::span<const Example> examples, std::int64_t source_size)
    : entries_(static_cast<std::size_t>(source_size) + 1) {
  collect(examples);
  for (int i = 0; i < iterations; ++i) reestimate(examples);
}

/// Collects the target tokens that occur together with each source token, all with equal
/// probabilities.
void LexicalTable::collect(std::span<const Example> examples) {
  // Duplicates are removed from a list that reaches its limit, so that memory depends on the number
  // of distinct tokens.
  std::vector<std::size_t> limits(entries_.size(), 1024);
  const auto add = [&](std::size_t entry, const TokenIds& targets) {
    auto& list = entries_[entry].targets;
    list.insert(list.end(), targets.begin(), targets.end());
    if (list.size() < limits[entry]) return;
    sort_unique(list);
    limits[entry] = std::max<std::size_t>(1024, 2 * list.size());
  };
  for (const Example& example : examples) {
    for (const TokenId source : example.source)
      add(static_cast<std::size_t>(source), example.target);
    add(entries_.size() - 1, example.target);
  }
  for (Entry& entry : entries_) {
    sort_unique(entry.targets);
    entry.targets.shrink_to_fit();
    entry.probabilities.assign(
        entry.targets.size(),
        1.0F / static_cast<float>(std::max<std::size_t>(entry.targets.size(), 1)));
  }
}

/// Makes one iteration of EM: computes the expected count of each pair of a source and a target
/// token, and estimates the translation probabilities from these counts.
void LexicalTable::reestimate(std::span<const Example> examples) {
  std::vector<std::vector<float>> counts;
  counts.reserve(entries_.size());
  for (const Entry& entry : entries_) counts.emplace_back(entry.targets.size(), 0.0F);
  std::vector<std::size_t> sources;
  std::vector<std::size_t> target_indices;
  for (const Example& example : examples) {
    sources.assign(example.source.begin(), example.source.end());
    sources.push_back(entries_.size() - 1);
    target_indices.resize(sources.size());
    for (const TokenId target : example.target) {
      float total = 0;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Entry& entry = entries_[sources[i]];
        target_indices[i] = target_index(entry, target);
        total += entry.probabilities[target_indices[i]];
      }
      if (total <= 0) continue;  // all probabilities underflowed
      for (std::size_t i = 0; i < sources.size(); ++i)
        counts[sources[i]][target_indices[i]] +=
            entries_[sources[i]].probabilities[target_indices[i]] / total;
    }
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const float sum = std::accumulate(counts[i].begin(), counts[i].end(), 0.0F);
    std::ranges::transform(counts[i], entries_[i].probabilities.begin(),
                           [sum](float count) { return sum > 0 ? count / sum : 0; });
  }
}

std::size_t LexicalTable::target_index(const Entry& entry, TokenId target) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(entry.targets, target) -
                                  entry.targets.begin());
}

std::vector<TokenId> LexicalTable::best(TokenId source, std::int64_t count) const {
  const Entry& entry = entries_.at(static_cast<std::size_t>(source));
  std::vector<std::size_t> order(entry.targets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto more_probable = [&entry](std::size_t a, std::size_t b) {
    return entry.probabilities[a] != entry.probabilities[b]
               ? entry.probabilities[a] > entry.probabilities[b]
               : a < b;
  };
  const auto size =
      std::min(order.size(), static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(size),
                            more_probable);
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < size; ++i) tokens.push_back(entry.targets[order[i]]);
  return tokens;
}

}  // namespace tfm
