#include "kernels/consistency_loss_kernel.h"

#include <cmath>

#include "kernels/row_sums.h"

namespace tfm {
namespace {

/// The softmax of one row: p = e^(logit - largest) * scale, log p = logit - normalizer.
struct Softmax {
  float largest;
  float normalizer;
  float scale;
  float sum;  // sum of all logits

  /// Returns the probability of one logit, or of a vector of logits.
  template <class Number>
  TFM_INLINE Number probability(const Number& logit) const {
    return fast_exp_nonpositive(logit - largest) * scale;
  }
};

template <class L, class T>
TFM_INLINE Softmax compute_softmax(const T* row, int64_t size) {
  const RowSums sums = row_sums<L>(row, size);
  return {sums.largest, sums.largest + std::log(sums.exp_sum), 1.0F / sums.exp_sum, sums.sum};
}

/// The softmax p of the first row and q of the second row.
struct Pair {
  Softmax p;
  Softmax q;

  /// Returns log p - log q of one token from its two logits, or of a vector of tokens.
  template <class Number>
  TFM_INLINE Number log_ratio(const Number& x, const Number& y) const {
    return x - y + (q.normalizer - p.normalizer);
  }
};

struct Divergences {
  float forward;   // KL(first || second)
  float backward;  // KL(second || first)
};

/// Adds the terms of one token, or of a vector of tokens, to both divergences. x and y are the
/// logits in the first and the second row.
template <class Number>
TFM_INLINE void add_terms(const Number& x, const Number& y, const Pair& pair, Number& forward,
                          Number& backward) {
  const Number difference = pair.log_ratio(x, y);
  forward += pair.p.probability(x) * difference;
  backward -= pair.q.probability(y) * difference;
}

template <class L, class T>
TFM_INLINE Divergences sum_divergences(const T* first, const T* second, int64_t size,
                                       const Pair& pair) {
  Accumulator<L> forward(0);
  Accumulator<L> backward(0);
  const int64_t whole = size - size % max_lanes;
  for (int64_t i = 0; i < whole; i += max_lanes) {
    for (int64_t r = 0; r < Accumulator<L>::registers; ++r) {
      const int64_t at = i + r * L::count;
      add_terms(L::load(first + at), L::load(second + at), pair, forward.parts[r],
                backward.parts[r]);
    }
  }
  Divergences sum{forward.reduce(Add()), backward.reduce(Add())};
  for (int64_t i = whole; i < size; ++i)
    add_terms(widen(first[i]), widen(second[i]), pair, sum.forward, sum.backward);
  return sum;
}

template <class Number>
struct PairGradient {
  Number first;
  Number second;
};

/// Computes the gradient of the loss with respect to the two logits of a token.
struct GradientFormula {
  Divergences kl;
  ConsistencyWeights w;

  /// Let L = log p - log q. The gradient of KL(p || q) is p (L - KL) for the logits of p, and q - p
  /// for the logits of q. `share` is the probability of this token in the smoothed target.
  template <class Number>
  TFM_INLINE PairGradient<Number> at(const Number& p, const Number& q, const Number& log_ratio,
                                     float share) const {
    return {
        w.first * (p - share) + w.forward * p * (log_ratio - kl.forward) + w.backward * (p - q),
        w.second * (q - share) - w.backward * q * (log_ratio + kl.backward) + w.forward * (q - p)};
  }
};

template <class L, class T>
TFM_INLINE ConsistencyLosses gradient_pair(T* __restrict__ first, T* __restrict__ second,
                                           int64_t size, int64_t target,
                                           const ConsistencyWeights& w) {
  const Pair pair{compute_softmax<L>(first, size), compute_softmax<L>(second, size)};
  const auto& [p, q] = pair;
  const GradientFormula formula{sum_divergences<L>(first, second, size, pair), w};
  const float each = w.smoothing / static_cast<float>(size);
  const float x = widen(first[target]);
  const float y = widen(second[target]);
  // The gradient for the target token uses the exact exponential instead of the fast one of the
  // loop, because this gradient is the difference of two numbers near 1 if the model is confident.
  const auto at_target = formula.at(std::exp(x - p.normalizer), std::exp(y - q.normalizer),
                                    pair.log_ratio(x, y), 1 - w.smoothing + each);
  const int64_t whole = size - size % L::count;
  for (int64_t i = 0; i < whole; i += L::count) {
    const auto a = L::load(first + i);
    const auto b = L::load(second + i);
    const auto gradient = formula.at<typename L::Floats>(p.probability(a), q.probability(b),
                                                         pair.log_ratio(a, b), each);
    L::store(gradient.first, first + i);
    L::store(gradient.second, second + i);
  }
  for (int64_t i = whole; i < size; ++i) {
    const float a = widen(first[i]);
    const float b = widen(second[i]);
    const auto gradient =
        formula.at(p.probability(a), q.probability(b), pair.log_ratio(a, b), each);
    narrow(gradient.first, first[i]);
    narrow(gradient.second, second[i]);
  }
  narrow(at_target.first, first[target]);
  narrow(at_target.second, second[target]);
  const float plain = w.first * (p.normalizer - x) + w.second * (q.normalizer - y);
  const float uniform = w.first * (p.normalizer - p.sum / static_cast<float>(size)) +
                        w.second * (q.normalizer - q.sum / static_cast<float>(size));
  return {(1 - w.smoothing) * plain + w.smoothing * uniform + w.forward * formula.kl.forward +
              w.backward * formula.kl.backward,
          plain};
}

template <class T>
ConsistencyLosses dispatch(T* first, T* second, int64_t size, int64_t target,
                           const ConsistencyWeights& weights) {
  return simd_dispatch([&](auto lanes) TFM_BODY {
    return gradient_pair<decltype(lanes)>(first, second, size, target, weights);
  });
}

}  // namespace

ConsistencyLosses consistency_loss_gradient(float* first, float* second, int64_t size,
                                            int64_t target, const ConsistencyWeights& weights) {
  return dispatch(first, second, size, target, weights);
}

ConsistencyLosses consistency_loss_gradient(Bf16* first, Bf16* second, int64_t size, int64_t target,
                                            const ConsistencyWeights& weights) {
  return dispatch(first, second, size, target, weights);
}

}  // namespace tfm
