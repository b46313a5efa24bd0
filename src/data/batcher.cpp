#include "tfm/data/batcher.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "tfm/core/error.h"

namespace tfm {
namespace {

// Shuffles in the same way with every standard library, unlike std::shuffle and
// std::uniform_int_distribution. The C++ standard defines the results of mt19937_64 and seed_seq.
class Shuffler {
 public:
  Shuffler(std::uint64_t seed, std::int64_t epoch) : random_(make_generator(seed, epoch)) {}

  /// Shuffles the items by the Fisher-Yates algorithm.
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[uniform_below(i)]);
  }

 private:
  static std::mt19937_64 make_generator(std::uint64_t seed, std::int64_t epoch) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const auto e = static_cast<std::uint64_t>(epoch);
    std::seed_seq sequence{low(seed), high(seed), low(e), high(e)};
    return std::mt19937_64(sequence);
  }

  /// Returns a uniform number in [0, bound). Rejects values of the generator at or above the
  /// largest multiple of `bound` up to 2^64, because they would make small results more frequent.
  std::uint64_t uniform_below(std::uint64_t bound) {
    const std::uint64_t incomplete = (std::mt19937_64::max() % bound + 1) % bound;
    std::uint64_t value = random_();
    while (value > std::mt19937_64::max() - incomplete) value = random_();
    return value % bound;
  }

  std::mt19937_64 random_;
};

}  // namespace

Batcher::Batcher(const Corpus& corpus, BatcherOptions options,
                 std::function<void(std::int64_t)> begin_epoch, DataPosition start)
    : corpus_(corpus), options_(options), begin_epoch_(std::move(begin_epoch)) {
  if (corpus.examples.empty())
    throw DataError("", "the corpus has no sentence pairs", "Check the training data.");
  seek(start);
}

std::vector<std::int64_t> Batcher::next() {
  // Planning an epoch may change the tokens of the corpus. A new epoch is planned only now, because
  // until this call the caller may still read the last batch of the previous epoch.
  if (planned_epoch_ != position_.epoch) plan(position_.epoch);
  std::vector<std::int64_t> batch = batches_[static_cast<std::size_t>(position_.next)];
  if (++position_.next == batches_per_epoch()) position_ = {position_.epoch + 1, 0};
  return batch;
}

void Batcher::seek(DataPosition position) {
  if (position.epoch >= 0 && planned_epoch_ != position.epoch) plan(position.epoch);
  if (position.epoch < 0 || position.next < 0 || position.next >= batches_per_epoch()) {
    throw DataError(
        "",
        "batch " + std::to_string(position.next) + " of epoch " + std::to_string(position.epoch) +
            " does not exist: an epoch has " + std::to_string(batches_per_epoch()) + " batches",
        "Resume with the training data and the batch_size that the run was started with.");
  }
  position_ = position;
}

void Batcher::plan(std::int64_t epoch) {
  if (begin_epoch_) begin_epoch_(epoch);
  planned_epoch_ = epoch;
  const auto lengths = corpus_.lengths(options_.fixed_length);
  std::vector<std::int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  if (!options_.shuffle) {
    batches_ = batches_within_budget(order, lengths, options_.type, options_.size);
    return;
  }
  Shuffler shuffler(options_.seed, epoch);
  shuffler.shuffle(order);
  // The sort is stable: pairs of equal length stay in shuffled order, so every epoch groups them
  // differently.
  const auto length = [&](std::int64_t i) {
    return std::pair(lengths[static_cast<std::size_t>(i)],
                     corpus_.examples[static_cast<std::size_t>(i)].source.size());
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return length(a) < length(b); });
  batches_ = batches_within_budget(order, lengths, options_.type, options_.size);
  shuffler.shuffle(batches_);
}

std::vector<std::vector<std::int64_t>> length_sorted_batches(
    const std::vector<std::int64_t>& lengths, BatchType type, std::int64_t size) {
  std::vector<std::int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](std::int64_t i) { return lengths[static_cast<std::size_t>(i)]; };
  std::ranges::stable_sort(order, std::greater<>{}, length);
  return batches_within_budget(order, lengths, type, size);
}

std::vector<std::vector<std::int64_t>> batches_within_budget(
    const std::vector<std::int64_t>& order, const std::vector<std::int64_t>& lengths,
    BatchType type, std::int64_t size) {
  std::vector<std::vector<std::int64_t>> batches;
  std::int64_t longest = 0;
  for (const std::int64_t item : order) {
    const std::int64_t length =
        type == BatchType::tokens ? lengths[static_cast<std::size_t>(item)] : 1;
    longest = std::max(longest, length);
    if (batches.empty() || (std::ssize(batches.back()) + 1) * longest > size) {
      batches.emplace_back();
      longest = length;
    }
    batches.back().push_back(item);
  }
  return batches;
}

}  // namespace tfm
