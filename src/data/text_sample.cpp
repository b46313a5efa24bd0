#include "tfm/data/text_sample.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace tfm {

void TextSample::add(std::string source, std::string target) {
  bytes_ += std::ssize(source) + std::ssize(target);
  const std::int64_t line = ++pairs_;
  const auto place = reservoir_.next();
  if (!place) return;
  if (*place == chosen_.line.size()) {
    chosen_.source.emplace_back();
    chosen_.target.emplace_back();
    chosen_.line.emplace_back();
  }
  chosen_.source[*place] = std::move(source);
  chosen_.target[*place] = std::move(target);
  chosen_.line[*place] = line;
}

ParallelText TextSample::take() {
  std::vector<std::size_t> order(chosen_.line.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return chosen_.line[i]; });
  ParallelText sorted;
  for (const std::size_t i : order) {
    sorted.source.push_back(std::move(chosen_.source[i]));
    sorted.target.push_back(std::move(chosen_.target[i]));
    sorted.line.push_back(chosen_.line[i]);
  }
  chosen_ = {};
  return sorted;
}

ParallelText sample_of(std::span<const ParallelText> texts, std::int64_t most) {
  TextSample sample(most);
  for (const ParallelText& text : texts) {
    for (std::size_t i = 0; i < text.source.size(); ++i) sample.add(text.source[i], text.target[i]);
  }
  return sample.take();
}

std::int64_t count_bytes(const ParallelText& text) {
  std::int64_t bytes = 0;
  for (const auto* side : {&text.source, &text.target})
    for (const std::string& line : *side) bytes += std::ssize(line);
  return bytes;
}

}  // namespace tfm
