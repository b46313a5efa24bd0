#include "tfm/data/epoch_windows.h"

#include <algorithm>

#include "tfm/data/permutation.h"

namespace tfm {

std::int64_t window_size(const DataConfig& config, std::int64_t pairs) {
  constexpr std::int64_t encoded_in_seconds = std::int64_t{1} << 17;
  return config.encodes_every_epoch() && pairs > largest_window ? encoded_in_seconds
                                                                : largest_window;
}

Mixture mixture_of(const Corpus& corpus, const BatcherOptions& options) {
  if (corpus.sets.empty()) return Mixture(static_cast<std::int64_t>(corpus.examples.size()));
  return {corpus.sets, options.stages, options.temperature};
}

std::vector<std::uint32_t> seed_words(std::initializer_list<std::uint64_t> numbers) {
  std::vector<std::uint32_t> words;
  for (const std::uint64_t number : numbers) {
    words.push_back(static_cast<std::uint32_t>(number));
    words.push_back(static_cast<std::uint32_t>(number >> 32));
  }
  return words;
}

EpochWindows::EpochWindows(const Corpus& corpus, const BatcherOptions& options)
    : mixture_(mixture_of(corpus, options)),
      window_size_(options.window_size),
      seed_(options.seed),
      shuffle_(options.shuffle) {}

std::int64_t EpochWindows::count(std::int64_t epoch) const {
  return (mixture_.size(epoch) + window_size_ - 1) / window_size_;
}

Window EpochWindows::after(Window window) const {
  const auto next = window.index + 1;
  return next < count(window.epoch) ? Window{window.epoch, next} : Window{window.epoch + 1, 0};
}

bool EpochWindows::corpus_fits() const { return mixture_.sets().back().end <= window_size_; }

std::vector<std::int64_t> EpochWindows::items(Window window) const {
  const auto windows = count(window.epoch);
  const auto draws = mixture_.draws(window.epoch);
  std::vector<std::int64_t> items;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const CorpusSet& set = mixture_.sets()[i];
    const auto begin = draws[i].first + draws[i].count * window.index / windows;
    const auto end = draws[i].first + draws[i].count * (window.index + 1) / windows;
    for (auto draw = begin; draw < end;) {
      const auto pass = draw / set.size();
      const auto pass_end = std::min(end, (pass + 1) * set.size());
      const bool is_complete = pass_end - draw == set.size();
      const Permutation permutation(set.size(),
                                    seed_words({seed_, static_cast<std::uint64_t>(pass), i}));
      for (; draw < pass_end; ++draw) {
        const auto place = draw - pass * set.size();
        const bool in_order = is_complete || !shuffle_;
        items.push_back(set.begin + (in_order ? place : permutation(place)));
      }
    }
  }
  std::ranges::sort(items);
  return items;
}

}  // namespace tfm
