#include "tfm/data/batcher.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/core/uniform_random.h"

namespace tfm {
namespace {

// Shuffles in the same way with every standard library, unlike std::shuffle.
class Shuffler {
 public:
  explicit Shuffler(const std::vector<std::uint32_t>& seed) : random_(make_generator(seed)) {}

  /// Shuffles the items by the Fisher-Yates algorithm.
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[uniform_below(random_, i)]);
  }

 private:
  static std::mt19937_64 make_generator(const std::vector<std::uint32_t>& seed) {
    std::seed_seq sequence(seed.begin(), seed.end());
    return std::mt19937_64(sequence);
  }

  std::mt19937_64 random_;
};

/// Returns the numbers from `begin` to `end` - 1.
std::vector<std::int64_t> range(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(end - begin));
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

}  // namespace

Batcher::Batcher(const Corpus& corpus, BatcherOptions options, BeginWindow begin_window,
                 DataPosition start)
    : examples_(corpus.examples),
      options_(std::move(options)),
      windows_(corpus, options_),
      begin_window_(std::move(begin_window)) {
  if (corpus.examples.empty())
    throw DataError("", "the corpus has no sentence pairs", "Check the training data.");
  seek(start);
}

void Batcher::require_plan() {
  if (planned_ != window_at(position_)) plan(window_at(position_));
}

std::int64_t Batcher::batches_in_window() {
  require_plan();
  return std::ssize(batches_);
}

std::vector<std::int64_t> Batcher::next() {
  // Planning a window may change the tokens of the corpus. A new window is planned only now,
  // because until this call the caller may still read the last batch of the previous window.
  require_plan();
  std::vector<std::int64_t> batch = batches_[static_cast<std::size_t>(position_.next)];
  if (++position_.next < std::ssize(batches_)) return batch;
  position_ = {position_.epoch, 0, position_.window + 1};
  if (position_.window == windows(position_.epoch)) position_ = {position_.epoch + 1, 0, 0};
  return batch;
}

void Batcher::seek(DataPosition position) {
  const auto count = position.epoch >= 0 ? windows(position.epoch) : 0;
  bool exists = position.window >= 0 && position.window < count && position.next >= 0;
  if (exists && position.next > 0) {
    if (planned_ != window_at(position)) plan(window_at(position));
    exists = position.next < std::ssize(batches_);
  }
  if (!exists) {
    throw DataError(
        "",
        "batch " + std::to_string(position.next) + " in window " + std::to_string(position.window) +
            " of epoch " + std::to_string(position.epoch) + " does not exist: the epoch has " +
            std::to_string(count) + (count == 1 ? " window" : " windows") +
            ", and the window planned last has " + std::to_string(batches_.size()) + " batches",
        "Resume with the training data and the batch_size that the run was started "
        "with.");
  }
  position_ = position;
}

double Batcher::share_of_epoch() const {
  // A window that is not planned yet has not begun.
  const double share = position_.next == 0 ? 0
                                           : static_cast<double>(position_.next) /
                                                 static_cast<double>(batches_.size());
  return (static_cast<double>(position_.window) + share) /
         static_cast<double>(windows(position_.epoch));
}

void Batcher::plan(Window window) {
  if (begin_window_) begin_window_(windows_, window);
  planned_ = window;
  const auto items = windows_.items(window);
  std::vector<std::int64_t> lengths, sources;
  for (const std::int64_t item : items) {
    const auto found = examples_.lengths(static_cast<std::size_t>(item));
    lengths.push_back(found.in_batch(options_.fixed_length));
    sources.push_back(found.source);
  }
  auto order = range(0, std::ssize(items));
  const auto epoch = static_cast<std::uint64_t>(window.epoch);
  // A corpus of one window has the same batches as before there were windows.
  Shuffler shuffler(
      windows(window.epoch) == 1
          ? seed_words({options_.seed, epoch})
          : seed_words({options_.seed, epoch, static_cast<std::uint64_t>(window.index)}));
  if (options_.shuffle) {
    shuffler.shuffle(order);
    // The sort is stable: pairs of equal length stay in shuffled order, so every epoch groups them
    // differently.
    std::ranges::stable_sort(order, {}, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      return std::pair(lengths[at], sources[at]);
    });
  }
  batches_ = batches_within_budget(order, lengths, options_.type, options_.size);
  if (options_.shuffle) shuffler.shuffle(batches_);
  for (auto& batch : batches_)
    for (std::int64_t& item : batch) item = items[static_cast<std::size_t>(item)];
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
