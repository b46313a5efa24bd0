#include "tfm/search/penalties.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfm {

double coverage_penalty(std::span<const float> coverage, double beta) {
  double sum = 0;
  for (const float received : coverage)
    sum += std::log(std::clamp<double>(received, std::numeric_limits<float>::min(), 1));
  return beta * sum;
}

void ban_repeated_ngrams(std::span<const std::int32_t> tokens, std::int64_t size,
                         std::vector<std::int32_t>& banned) {
  const auto length = static_cast<std::size_t>(size);
  if (size <= 0 || tokens.size() < length) return;
  const auto context = tokens.last(length - 1);
  for (std::size_t start = 0; start + length <= tokens.size(); ++start) {
    if (std::ranges::equal(tokens.subspan(start, length - 1), context))
      banned.push_back(tokens[start + length - 1]);
  }
}

void ban_phrases(std::span<const std::int32_t> tokens,
                 std::span<const std::vector<std::int32_t>> phrases,
                 std::vector<std::int32_t>& banned) {
  for (const std::vector<std::int32_t>& phrase : phrases) {
    if (phrase.empty() || phrase.size() - 1 > tokens.size()) continue;
    const auto beginning = std::span(phrase).first(phrase.size() - 1);
    if (std::ranges::equal(beginning, tokens.last(beginning.size())))
      banned.push_back(phrase.back());
  }
}

}  // namespace tfm
