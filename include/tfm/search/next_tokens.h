// What a model says about the tokens that may follow its rows (hypotheses). A model gives logits;
// the log-probability of a token is its logit minus the row's log-sum, which is subtracted only
// for the tokens that a search looks at. The highest logit of each block of tokens lets a search
// skip the blocks that hold no good token.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tfm {

/// The tokens that may follow one row. A view, valid as long as the StepOutput it comes from.
class NextTokens {
 public:
  /// The number of tokens that share an entry of `block_maxima`.
  static constexpr std::size_t block_size = 64;

  NextTokens() = default;
  /// Logits [V], the logarithm of the sum of their exponentials, and the highest logit of each
  /// block [ceil(V / block_size)]. Without block maxima (an empty span), every block counts as
  /// promising. If a logit is NaN or +inf, the log-sum must be NaN.
  explicit NextTokens(std::span<const float> logits, float log_sum = 0,
                      std::span<const float> block_maxima = {})
      : logits_(logits), log_sum_(log_sum), block_maxima_(block_maxima) {}

  /// Returns the size V of the vocabulary.
  std::int32_t size() const { return static_cast<std::int32_t>(logits_.size()); }
  float log_prob(std::int32_t token) const {
    return logits_[static_cast<std::size_t>(token)] - log_sum_;
  }

  /// Calls visit(token) for every token whose log-probability is NaN or at least threshold(), in
  /// ascending order. The threshold may rise meanwhile; then some tokens below it are visited.
  template <class Threshold, class Visit>
  void visit_promising(const Threshold& threshold, const Visit& visit) const {
    for (std::size_t begin = 0; begin < logits_.size(); begin += block_size) {
      const auto block = logits_.subspan(begin, std::min(block_size, logits_.size() - begin));
      const float lowest = threshold();
      if (!promising(begin / block_size, block, lowest)) continue;
      for (std::size_t i = 0; i < block.size(); ++i) {
        const bool below = block[i] - log_sum_ < lowest;
        if (!below) visit(static_cast<std::int32_t>(begin + i));
      }
    }
  }

 private:
  /// Rounding is monotone, so no logit of the block has a higher difference than its maximum.
  bool promising(std::size_t block, std::span<const float> logits, float threshold) const {
    if (!block_maxima_.empty()) return !(block_maxima_[block] - log_sum_ < threshold);
    // Hits are counted without an early return, so that compilers vectorise the loop.
    int hits = 0;
    for (const float logit : logits) hits += !(logit - log_sum_ < threshold);
    return hits > 0;
  }

  std::span<const float> logits_;
  float log_sum_ = 0;
  std::span<const float> block_maxima_;
};

/// A model's outputs for consecutive rows, valid until the model's next call.
struct StepOutput {
  std::size_t rows = 0;
  std::span<const float> logits = {};        ///< [rows, V], row-major
  std::span<const float> log_sums = {};      ///< [rows]; empty if the logits are log-probabilities
  std::span<const float> block_maxima = {};  ///< [rows, ceil(V / NextTokens::block_size)], or empty
  /// How much each row attended to each source token, [rows, S]. Rows sum to 1, and source padding
  /// is at their end. Empty if the model does not provide attention.
  std::span<const float> attention = {};

  NextTokens next(std::size_t row) const {
    return NextTokens(part(logits, row), log_sums.empty() ? 0 : log_sums[row],
                      part(block_maxima, row));
  }
  /// Returns the attention [S] of a row.
  std::span<const float> attention_row(std::size_t row) const { return part(attention, row); }
  /// Returns the outputs of `count` rows, starting at row `first`.
  StepOutput subrows(std::size_t first, std::size_t count) const {
    return {count, part(logits, first, count), part(log_sums, first, count),
            part(block_maxima, first, count), part(attention, first, count)};
  }

 private:
  std::span<const float> part(std::span<const float> all, std::size_t first,
                              std::size_t count = 1) const {
    const std::size_t width = all.size() / rows;
    return all.subspan(first * width, count * width);
  }
};

}  // namespace tfm
