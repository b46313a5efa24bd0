#include "ngrams.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tfm {
namespace {

using Ngrams = std::vector<std::u32string_view>;

/// Returns the n-grams of the highest order at all positions, in sorted order; n-grams at the end
/// of the text are shorter. The prefixes of a lower order are then sorted too, if n-grams shorter
/// than that order are skipped. One sort therefore serves all orders.
Ngrams sorted_ngrams(std::u32string_view symbols, std::size_t highest_order) {
  Ngrams ngrams;
  ngrams.reserve(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    ngrams.push_back(symbols.substr(i, highest_order));
  std::ranges::sort(ngrams);
  return ngrams;
}

/// Returns the size of the multiset intersection, which is the clipped match count. A single pass
/// over the two sorted lists needs no hash table.
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

/// Returns the n-grams of exactly this order, in sorted order.
Ngrams ngrams_of_order(const Ngrams& ngrams, std::size_t order) {
  Ngrams result;
  for (const auto& ngram : ngrams) {
    if (ngram.size() >= order) result.push_back(ngram.substr(0, order));
  }
  return result;
}

/// Returns the multiset union of the n-grams of one order: each n-gram occurs as often as in the
/// text in which it is most frequent.
Ngrams pool(const std::vector<Ngrams>& texts, std::size_t order) {
  Ngrams pooled;
  for (const Ngrams& ngrams : texts) {
    Ngrams larger;
    std::ranges::set_union(pooled, ngrams_of_order(ngrams, order), std::back_inserter(larger));
    pooled = std::move(larger);
  }
  return pooled;
}

}  // namespace

std::u32string WordNumbers::number(const std::vector<std::string_view>& words) {
  std::u32string result;
  for (const std::string_view word : words) {
    const auto next = static_cast<char32_t>(numbers_.size());
    result.push_back(numbers_.try_emplace(std::string(word), next).first->second);
  }
  return result;
}

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

void count_ngrams(std::u32string_view hypothesis, const std::vector<std::u32string>& references,
                  std::span<NgramCounts> orders) {
  if (references.size() == 1) return count_ngrams(hypothesis, references.front(), orders);
  const auto hypothesis_ngrams = sorted_ngrams(hypothesis, orders.size());
  std::vector<Ngrams> reference_ngrams;
  for (const auto& reference : references)
    reference_ngrams.push_back(sorted_ngrams(reference, orders.size()));
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const auto pooled = pool(reference_ngrams, i + 1);
    orders[i] = {.hypothesis = ngrams_in(hypothesis, i + 1),
                 .reference = std::ssize(pooled),
                 .matches = intersection_size(hypothesis_ngrams, pooled, i + 1)};
  }
}

}  // namespace tfm
