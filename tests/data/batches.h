// A corpus for tests of batches, and functions that read and compare them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tfm/data/batcher.h"

namespace tfm {

using Batches = std::vector<std::vector<std::int64_t>>;

// Returns a corpus with lengths as in real text: most pairs are short, some are long, and targets
// are about as long as their sources.
inline Corpus random_corpus(std::int64_t size) {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> source_length(2.9, 0.6);
  std::normal_distribution<double> ratio(1.0, 0.15);
  Corpus corpus;
  for (std::int64_t i = 0; i < size; ++i) {
    const double source = std::clamp(source_length(random), 1.0, 250.0);
    const double target = std::clamp(source * ratio(random), 1.0, 250.0);
    corpus.examples.push_back({TokenIds(static_cast<std::size_t>(source), 5),
                               TokenIds(static_cast<std::size_t>(target), 6)});
  }
  return corpus;
}

inline Corpus repeated(int count, const Example& example) {
  Corpus corpus;
  for (int i = 0; i < count; ++i) corpus.examples.push_back(example);
  return corpus;
}

inline Batches read_epoch(Batcher& batcher) {
  Batches batches;
  const auto epoch = batcher.position().epoch;
  while (batcher.position().epoch == epoch) batches.push_back(batcher.next());
  return batches;
}

inline std::vector<std::int64_t> flat(const Batches& batches) {
  std::vector<std::int64_t> items;
  for (const auto& batch : batches) items.insert(items.end(), batch.begin(), batch.end());
  return items;
}

inline std::vector<std::int64_t> sorted(std::vector<std::int64_t> items) {
  std::sort(items.begin(), items.end());
  return items;
}

inline std::vector<std::int64_t> all_items(const Corpus& corpus) {
  std::vector<std::int64_t> items(corpus.examples.size());
  std::iota(items.begin(), items.end(), 0);
  return items;
}

struct Shape {
  std::int64_t rows = 0;
  std::int64_t source = 0;  // S
  std::int64_t target = 0;  // T, including EOS
};

inline Shape batch_shape(const Corpus& corpus, const std::vector<std::int64_t>& batch) {
  Shape shape{std::ssize(batch), 0, 0};
  for (const std::int64_t i : batch) {
    const Example example = corpus.examples[static_cast<std::size_t>(i)];
    shape.source = std::max<std::int64_t>(shape.source, std::ssize(example.source));
    shape.target = std::max<std::int64_t>(shape.target, std::ssize(example.target) + 1);
  }
  return shape;
}

}  // namespace tfm
