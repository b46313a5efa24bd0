#include "tfm/search/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr std::size_t block_size = 64;

/// The best candidates so far, sorted. A new candidate enters only if it is better than the last
/// entry, so the first of equal candidates stays.
class TopK {
 public:
  explicit TopK(std::size_t count) : count_(count) { list_.reserve(count + 1); }

  void offer(const Continuation& candidate) {
    if (full() && candidate.log_prob <= list_.back().log_prob) return;
    const auto better = [](const Continuation& a, const Continuation& b) {
      return a.log_prob > b.log_prob;
    };
    list_.insert(std::upper_bound(list_.begin(), list_.end(), candidate, better), candidate);
    if (list_.size() > count_) list_.pop_back();
  }

  /// Returns the lowest log-probability with which a token of a row with log_prob `base` may enter
  /// the list. The value is rounded down, because offer makes the exact comparison.
  float threshold(double base) const {
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    return full() ? std::nextafter(static_cast<float>(list_.back().log_prob - base), lowest)
                  : lowest;
  }

  std::vector<Continuation> take() { return std::move(list_); }

 private:
  bool full() const { return list_.size() >= count_; }

  std::size_t count_;
  std::vector<Continuation> list_;
};

/// Returns true if a value reaches the threshold or is NaN. Hits are counted without an early
/// return, so that compilers vectorise the loop.
bool any_reaches(std::span<const float> block, float threshold) {
  int hits = 0;
  for (const float value : block) hits += !(value < threshold);
  return hits > 0;
}

/// Returns false if the token is impossible (-inf). Throws NonFiniteError for NaN and +inf.
bool is_candidate(float log_prob) {
  if (std::isnan(log_prob) || log_prob == std::numeric_limits<float>::infinity()) {
    throw NonFiniteError("", "the model computes non-finite scores",
                         "Its training has diverged, or its weights are corrupt. Use an earlier "
                         "checkpoint, or train with a lower learning rate.");
  }
  return !std::isinf(log_prob);
}

}  // namespace

CandidateSelector::CandidateSelector(std::int64_t vocab_size,
                                     std::span<const std::int32_t> forbidden)
    : forbidden_(static_cast<std::size_t>(vocab_size), 0) {
  for (const std::int32_t token : forbidden) {
    // An absent special token has id -1 and needs no entry.
    if (token >= 0 && token < vocab_size) forbidden_[static_cast<std::size_t>(token)] = 1;
  }
}

bool CandidateSelector::allowed(const CandidateRow& row, std::size_t token) const {
  return !forbidden_[token] &&
         std::ranges::find(row.banned, static_cast<std::int32_t>(token)) == row.banned.end();
}

std::vector<Continuation> CandidateSelector::top_k(std::span<const CandidateRow> rows,
                                                   std::size_t count) const {
  TopK best(std::min(count, rows.size() * forbidden_.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const CandidateRow& row = rows[r];
    const auto offer = [&](std::size_t token) {
      best.offer({static_cast<std::int32_t>(r), static_cast<std::int32_t>(token),
                  row.log_prob + row.next[token]});
    };
    if (row.forced_token >= 0) {
      const auto token = static_cast<std::size_t>(row.forced_token);
      is_candidate(row.next[token]);  // throws if the value is NaN or +inf
      offer(token);
      continue;
    }
    for (std::size_t start = 0; start < row.next.size(); start += block_size) {
      const auto block = row.next.subspan(start, std::min(block_size, row.next.size() - start));
      const float threshold = best.threshold(row.log_prob);
      if (!any_reaches(block, threshold)) continue;
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] < threshold) continue;
        if (is_candidate(block[i]) && allowed(row, start + i)) offer(start + i);
      }
    }
  }
  return best.take();
}

std::vector<ScoredToken> CandidateSelector::all_candidates(const CandidateRow& row) const {
  if (row.forced_token >= 0) {
    const float log_prob = row.next[static_cast<std::size_t>(row.forced_token)];
    is_candidate(log_prob);  // throws if the value is NaN or +inf
    return {{row.forced_token, log_prob}};
  }
  std::vector<ScoredToken> candidates;
  for (std::size_t token = 0; token < row.next.size(); ++token) {
    if (is_candidate(row.next[token]) && allowed(row, token))
      candidates.push_back({static_cast<std::int32_t>(token), row.next[token]});
  }
  return candidates;
}

}  // namespace tfm
