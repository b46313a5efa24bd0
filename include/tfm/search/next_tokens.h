// What a model says about the tokens that may follow its rows (hypotheses). On the CPU, a model
// gives logits: the log-probability of a token is its logit minus the row's log-sum, which is
// subtracted only for the tokens that a search looks at. The highest logit of each block of tokens
// lets a search skip the blocks that hold no good token. On another device, a model gives the
// log-probabilities of the most probable tokens, and those of whole rows only on demand.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "tfm/search/hypothesis.h"

namespace tfm {

/// The log-probabilities of whole rows, which take long to come from a device.
class LogProbRows {
 public:
  virtual ~LogProbRows() = default;
  /// Returns the log-probabilities [V] of a row. The span is valid until the model's next call.
  virtual std::span<const float> row(std::size_t index) = 0;
};

/// The tokens that may follow one row. A view, valid as long as the StepOutput it comes from.
class NextTokens {
 public:
  /// The number of tokens that share an entry of `block_maxima`. int8 kernels find the maximum of a
  /// block of this size while they multiply.
  static constexpr std::size_t block_size = 32;

  NextTokens() = default;
  /// Logits [V], the logarithm of the sum of their exponentials, and the highest logit of each
  /// block [ceil(V / block_size)]. Without block maxima (an empty span), every block counts as
  /// promising. If a logit is NaN or +inf, the log-sum must be NaN.
  explicit NextTokens(std::span<const float> logits, float log_sum = 0,
                      std::span<const float> block_maxima = {})
      : logits_(logits),
        log_sum_(log_sum),
        block_maxima_(block_maxima),
        size_(static_cast<std::int32_t>(logits.size())) {}
  /// The most probable tokens of a row, in descending order (NaN counts as the highest), and where
  /// the others come from: row `row` of `rest`, with `vocab_size` tokens.
  NextTokens(std::span<const ScoredToken> top, LogProbRows& rest, std::size_t row,
             std::int32_t vocab_size)
      : top_(top), rest_(&rest), row_(row), size_(vocab_size) {}

  /// Returns the size V of the vocabulary.
  std::int32_t size() const { return size_; }

  /// Returns the tokens with logits in place of log-probabilities where they are known. The order
  /// of the tokens is the same, but two of them that differ may not be equally probable.
  NextTokens logits() const {
    NextTokens result = *this;
    if (!std::isnan(log_sum_)) result.log_sum_ = 0;
    return result;
  }

  float log_prob(std::int32_t token) const {
    if (rest_ == nullptr) return logits_[static_cast<std::size_t>(token)] - log_sum_;
    const auto found = std::ranges::find(top_, token, &ScoredToken::token);
    return found != top_.end() ? found->log_prob
                               : rest_->row(row_)[static_cast<std::size_t>(token)];
  }

  /// Returns the highest log-probability (NaN if one is NaN or +inf), or -inf if the highest logits
  /// of the blocks are not known.
  float highest() const {
    if (block_maxima_.empty()) return -std::numeric_limits<float>::infinity();
    // Several maxima at once, so that compilers vectorise the loop.
    std::array<float, 16> highest;
    highest.fill(-std::numeric_limits<float>::infinity());
    std::size_t i = 0;
    for (; i + highest.size() <= block_maxima_.size(); i += highest.size()) {
      for (std::size_t lane = 0; lane < highest.size(); ++lane)
        highest[lane] = std::max(highest[lane], block_maxima_[i + lane]);
    }
    for (; i < block_maxima_.size(); ++i) highest[0] = std::max(highest[0], block_maxima_[i]);
    return std::ranges::max(highest) - log_sum_;
  }

  /// Calls visit(token) for every token whose log-probability is NaN or at least threshold(). The
  /// threshold may rise meanwhile; then some tokens below it are visited.
  template <class Threshold, class Visit>
  void visit_promising(const Threshold& threshold, const Visit& visit) const {
    if (rest_ == nullptr) return visit_blocks(*this, threshold, visit);
    for (const ScoredToken& each : top_) visit(each.token);
    // If the last of the top tokens is not good enough, no other token is.
    if (!top_.empty() && top_.back().log_prob < threshold()) return;
    visit_blocks(NextTokens(rest_->row(row_)), threshold, [&](std::int32_t token) {
      if (std::ranges::find(top_, token, &ScoredToken::token) == top_.end()) visit(token);
    });
  }

 private:
  template <class Threshold, class Visit>
  static void visit_blocks(const NextTokens& next, const Threshold& threshold, const Visit& visit) {
    for (std::size_t end = 0; end < next.logits_.size();) {
      const float lowest = threshold();
      const std::size_t begin = next.next_promising(end, lowest);
      end = std::min(begin + block_size, next.logits_.size());
      for (std::size_t i = begin; i < end; ++i) {
        const bool below = next.logits_[i] - next.log_sum_ < lowest;
        if (!below) visit(static_cast<std::int32_t>(i));
      }
    }
  }

  /// Returns the first token of the next block, from the block of token `begin` on, that may hold a
  /// token with the log-probability `threshold` or a higher one, or a number of at least size() if
  /// there is none. Rounding is monotone, so no logit of a block has a higher difference than its
  /// maximum.
  std::size_t next_promising(std::size_t begin, float threshold) const {
    if (!block_maxima_.empty()) {
      const auto rest = block_maxima_.subspan(std::min(begin / block_size, block_maxima_.size()));
      return begin + block_size * first_at_least(rest, threshold);
    }
    while (begin < logits_.size()) {
      const auto block = logits_.subspan(begin, std::min(block_size, logits_.size() - begin));
      if (first_at_least(block, threshold) < block.size()) break;
      begin += block_size;
    }
    return begin;
  }

  /// Returns the index of the first logit whose log-probability is not below `threshold`, or the
  /// number of the logits.
  std::size_t first_at_least(std::span<const float> logits, float threshold) const {
    constexpr std::size_t together = 16;
    std::size_t i = 0;
    for (; i + together <= logits.size(); i += together) {
      // Hits are counted without an early return, so that compilers vectorise the loop.
      int hits = 0;
      for (std::size_t k = i; k < i + together; ++k) hits += !(logits[k] - log_sum_ < threshold);
      if (hits > 0) break;
    }
    while (i < logits.size() && logits[i] - log_sum_ < threshold) ++i;
    return i;
  }

  // Either logits, or the most probable tokens and the source of the others.
  std::span<const float> logits_;
  float log_sum_ = 0;
  std::span<const float> block_maxima_;
  std::span<const ScoredToken> top_;
  LogProbRows* rest_ = nullptr;
  std::size_t row_ = 0;
  std::int32_t size_ = 0;
};

/// A model's outputs for consecutive rows, valid until the model's next call: either logits or the
/// most probable tokens.
struct StepOutput {
  std::size_t rows = 0;
  std::span<const float> logits = {};        ///< [rows, V], row-major
  std::span<const float> log_sums = {};      ///< [rows]; empty if the logits are log-probabilities
  std::span<const float> block_maxima = {};  ///< [rows, ceil(V / NextTokens::block_size)], or empty
  /// How much each row attended to each source token, [rows, S]. Rows sum to 1, and source padding
  /// is at their end. Empty if the model does not provide attention.
  std::span<const float> attention = {};
  std::span<const ScoredToken> top = {};  ///< [rows, K], each row in descending order
  LogProbRows* rest = nullptr;            ///< set if `top` is
  std::size_t first_row = 0;              ///< the index of the first row in `rest`
  std::int32_t vocab_size = 0;            ///< set if `top` is

  NextTokens next(std::size_t row) const {
    if (rest != nullptr) return {part(top, row), *rest, first_row + row, vocab_size};
    return NextTokens(part(logits, row), log_sums.empty() ? 0 : log_sums[row],
                      part(block_maxima, row));
  }
  /// Returns the attention [S] of a row.
  std::span<const float> attention_row(std::size_t row) const { return part(attention, row); }
  /// Returns the outputs of `count` rows, starting at row `first`.
  StepOutput subrows(std::size_t first, std::size_t count) const {
    StepOutput result = *this;
    result.rows = count;
    result.logits = part(logits, first, count);
    result.log_sums = part(log_sums, first, count);
    result.block_maxima = part(block_maxima, first, count);
    result.attention = part(attention, first, count);
    result.top = part(top, first, count);
    result.first_row += first;
    return result;
  }

 private:
  template <class T>
  std::span<const T> part(std::span<const T> all, std::size_t first, std::size_t count = 1) const {
    const std::size_t width = all.size() / rows;
    return all.subspan(first * width, count * width);
  }
};

}  // namespace tfm
