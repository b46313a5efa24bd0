// Sixteen numbers side by side, in one register or, on older processors, in a few. A loop over lanes that is written with them runs side by side; one
// that is written as an inner loop over an array of lanes is at the compiler's mercy, and GCC 12 unrolls many of those into single numbers. To be
// inlined into functions that TFM_VECTOR_CLONES marks.
#pragma once

#include <cstdint>
#include <cstring>

#include "tfm/nn/ops/vector_clones.h"

// No function here is ever called: the way in which a register would be handed over does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tfm {

constexpr int64_t lane_count = 16;
/// The smallest multiple of lane_count that is at least n.
TFM_INLINE int64_t whole_lanes(int64_t n) { return (n + lane_count - 1) / lane_count * lane_count; }

/// Wherever they lie: a pointer to numbers may be taken for one to lanes.
using Lanes = float __attribute__((vector_size(lane_count * sizeof(float)), aligned(sizeof(float)), may_alias));
using LaneBits = uint32_t __attribute__((vector_size(lane_count * sizeof(uint32_t))));
using LaneIntegers = int32_t __attribute__((vector_size(lane_count * sizeof(int32_t))));
using LaneShorts = uint16_t __attribute__((vector_size(lane_count * sizeof(uint16_t)), aligned(sizeof(uint16_t)), may_alias));

TFM_INLINE Lanes all_lanes(float x) { return Lanes{} + x; }

TFM_INLINE Lanes load(const float* from) { return *reinterpret_cast<const Lanes*>(from); }
TFM_INLINE Lanes load(const Bf16Bits* from) {
  return reinterpret_cast<Lanes>(__builtin_convertvector(*reinterpret_cast<const LaneShorts*>(from), LaneBits) << 16);
}

TFM_INLINE void store(const Lanes& x, float* to) { *reinterpret_cast<Lanes*>(to) = x; }
/// As narrow does.
TFM_INLINE void store(const Lanes& x, Bf16Bits* to) {
  const auto bits = reinterpret_cast<LaneBits>(x);
  const LaneBits rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const LaneBits kept = x == x ? rounded : LaneBits{} + 0x7fc0U;
  *reinterpret_cast<LaneShorts*>(to) = __builtin_convertvector(kept, LaneShorts);
}

struct Sum {
  template <class T>
  TFM_INLINE T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
/// b where a is no number.
struct Larger {
  template <class T>
  TFM_INLINE T operator()(const T& a, const T& b) const {
    return a > b ? a : b;
  }
};

/// All lanes as one number: halves with each other, four deep.
template <class Operation>
TFM_INLINE float reduce(const Lanes& x, Operation operation) {
  using Eight = float __attribute__((vector_size(32)));
  using Four = float __attribute__((vector_size(16)));
  Eight halves[2];
  std::memcpy(halves, &x, sizeof(halves));
  const Eight eight = operation(halves[0], halves[1]);
  Four quarters[2];
  std::memcpy(quarters, &eight, sizeof(quarters));
  const Four four = operation(quarters[0], quarters[1]);
  return operation(operation(float{four[0]}, float{four[2]}), operation(float{four[1]}, float{four[3]}));
}

}  // namespace tfm
