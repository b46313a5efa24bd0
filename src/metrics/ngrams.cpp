#include "ngrams.h"

#include <algorithm>
#include <vector>

namespace tfm {
namespace {

using Ngrams = std::vector<std::u32string_view>;

/// Returns the n-gram at every position, shorter at the end of the text, in sorted order. Without
/// those that are too short for a lower order, the list is sorted by that order, too, so one sort
/// serves all orders.
Ngrams sorted_ngrams(std::u32string_view symbols, std::size_t highest_order) {
  Ngrams ngrams;
  ngrams.reserve(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    ngrams.push_back(symbols.substr(i, highest_order));
  std::ranges::sort(ngrams);
  return ngrams;
}

/// Returns the size of the multiset intersection, which is the clipped match count. One pass over
/// two sorted lists finds it without a hash table.
std::int64_t intersection_size(const Ngrams& a, const Ngrams& b, std::size_t order) {
  std::int64_t size = 0;
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->size() < order) {
      ++left;
    } else if (right->size() < order) {
      ++right;
    } else {
      const int comparison = left->substr(0, order).compare(right->substr(0, order));
      if (comparison == 0) ++size;
      if (comparison <= 0) ++left;
      if (comparison >= 0) ++right;
    }
  }
  return size;
}

std::int64_t ngrams_in(std::u32string_view symbols, std::size_t order) {
  return symbols.size() < order ? 0 : static_cast<std::int64_t>(symbols.size() - order + 1);
}

}  // namespace

void count_ngrams(std::u32string_view hypothesis, std::u32string_view reference,
                  std::span<NgramCounts> orders) {
  const auto hypothesis_ngrams = sorted_ngrams(hypothesis, orders.size());
  const auto reference_ngrams = sorted_ngrams(reference, orders.size());
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders[i] = {.hypothesis = ngrams_in(hypothesis, i + 1),
                 .reference = ngrams_in(reference, i + 1),
                 .matches = intersection_size(hypothesis_ngrams, reference_ngrams, i + 1)};
  }
}

}  // namespace tfm
