#include "ngrams.h"

#include <algorithm>
#include <vector>

namespace tfm {
namespace {

std::vector<std::u32string_view> sorted_ngrams(std::u32string_view symbols, std::size_t order) {
  std::vector<std::u32string_view> ngrams;
  if (symbols.size() < order) return ngrams;
  ngrams.reserve(symbols.size() - order + 1);
  for (std::size_t i = 0; i + order <= symbols.size(); ++i) ngrams.push_back(symbols.substr(i, order));
  std::ranges::sort(ngrams);
  return ngrams;
}

// The clipped match count is the size of the multiset intersection, which one walk over two sorted lists finds without a hash table.
std::int64_t intersection_size(const std::vector<std::u32string_view>& a, const std::vector<std::u32string_view>& b) {
  std::int64_t size = 0;
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    const int order = left->compare(*right);
    if (order == 0) ++size;
    if (order <= 0) ++left;
    if (order >= 0) ++right;
  }
  return size;
}

}  // namespace

NgramCounts count_ngrams(std::u32string_view hypothesis, std::u32string_view reference, std::size_t order) {
  const auto hypothesis_ngrams = sorted_ngrams(hypothesis, order);
  const auto reference_ngrams = sorted_ngrams(reference, order);
  return {.hypothesis = static_cast<std::int64_t>(hypothesis_ngrams.size()),
          .reference = static_cast<std::int64_t>(reference_ngrams.size()),
          .matches = intersection_size(hypothesis_ngrams, reference_ngrams)};
}

}  // namespace tfm
