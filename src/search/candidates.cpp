#include "tfm/search/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tfm/core/error.h"

namespace tfm {
namespace {

/// The best candidates so far, sorted.
class TopK {
 public:
  explicit TopK(std::size_t count) : count_(count) { list_.reserve(count + 1); }

  void offer(const Continuation& candidate) {
    if (full() && !comes_before(candidate, list_.back())) return;
    list_.insert(std::upper_bound(list_.begin(), list_.end(), candidate, comes_before), candidate);
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

/// Returns false if the token is impossible (-inf). Throws NonFiniteError for NaN and +inf.
bool is_candidate(float log_prob) {
  if (std::isnan(log_prob) || log_prob == std::numeric_limits<float>::infinity()) {
    throw NonFiniteError("", "the model computes non-finite scores",
                         "Its training has diverged, or its weights are corrupt. Use an earlier "
                         "checkpoint, or train with a lower learning rate.");
  }
  return !std::isinf(log_prob);
}

bool is_penalized(const CandidateRow& row, std::int32_t token) {
  return std::ranges::find(row.penalized, token, &ScoredToken::token) != row.penalized.end();
}

}  // namespace

bool comes_before(const Continuation& a, const Continuation& b) {
  return a.log_prob != b.log_prob ? a.log_prob > b.log_prob
                                  : std::pair(a.row, a.token) < std::pair(b.row, b.token);
}

float CandidateRow::next_log_prob(std::int32_t token) const {
  const auto found = std::ranges::find(penalized, token, &ScoredToken::token);
  return found != penalized.end() ? found->log_prob : next.log_prob(token);
}

CandidateSelector::CandidateSelector(std::int64_t vocab_size,
                                     std::span<const std::int32_t> forbidden)
    : forbidden_(static_cast<std::size_t>(vocab_size), 0) {
  for (const std::int32_t token : forbidden) {
    // An absent special token has id -1 and needs no entry.
    if (token >= 0 && token < vocab_size) forbidden_[static_cast<std::size_t>(token)] = 1;
  }
}

bool CandidateSelector::allowed(const CandidateRow& row, std::int32_t token) const {
  return !forbidden_[static_cast<std::size_t>(token)] &&
         std::ranges::find(row.banned, token) == row.banned.end();
}

std::vector<Continuation> CandidateSelector::top_k(std::span<const CandidateRow> rows,
                                                   std::size_t count) const {
  if (rows.size() == 1 && count == 1 && rows[0].forced_token < 0) {
    // Greedy search mostly takes the most probable token. Then only the block of this token is
    // read, whereas a threshold that begins low lets other blocks pass before.
    const float highest = rows[0].next.highest();
    auto best = top_k_above(highest, rows, count);
    if (!best.empty() && best[0].log_prob >= rows[0].log_prob + highest) return best;
  }
  return top_k_above(-std::numeric_limits<float>::infinity(), rows, count);
}

/// Does what top_k does, but may pass over tokens whose log-probability in their row is less than
/// `floor`.
std::vector<Continuation> CandidateSelector::top_k_above(float floor,
                                                         std::span<const CandidateRow> rows,
                                                         std::size_t count) const {
  TopK best(std::min(count, rows.size() * forbidden_.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const CandidateRow& row = rows[r];
    // The threshold is needed for each block of tokens, but changes only with an offer.
    float threshold = std::max(floor, best.threshold(row.log_prob));
    const auto offer = [&](std::int32_t token, float log_prob) {
      best.offer({static_cast<std::int32_t>(r), token, row.log_prob + log_prob});
      threshold = std::max(floor, best.threshold(row.log_prob));
    };
    if (row.forced_token >= 0) {
      const float log_prob = row.next_log_prob(row.forced_token);
      is_candidate(log_prob);  // throws if the value is NaN or +inf
      offer(row.forced_token, log_prob);
      continue;
    }
    row.next.visit_promising(
        [&] { return threshold; },
        [&](std::int32_t token) {
          const float log_prob = row.next.log_prob(token);
          if (is_candidate(log_prob) && allowed(row, token) && !is_penalized(row, token))
            offer(token, log_prob);
        });
    for (const auto& [token, log_prob] : row.penalized)
      if (is_candidate(log_prob) && allowed(row, token)) offer(token, log_prob);
  }
  return best.take();
}

std::vector<ScoredToken> CandidateSelector::all_candidates(const CandidateRow& row) const {
  if (row.forced_token >= 0) {
    const float log_prob = row.next_log_prob(row.forced_token);
    is_candidate(log_prob);  // throws if the value is NaN or +inf
    return {{row.forced_token, log_prob}};
  }
  std::vector<ScoredToken> candidates;
  candidates.reserve(row.next.size());
  for (std::int32_t token = 0; token < row.next.size(); ++token)
    candidates.push_back({token, row.next.log_prob(token)});
  for (const ScoredToken& each : row.penalized)
    candidates[static_cast<std::size_t>(each.token)] = each;
  std::erase_if(candidates, [&](const ScoredToken& each) {
    return !is_candidate(each.log_prob) || !allowed(row, each.token);
  });
  return candidates;
}

}  // namespace tfm
