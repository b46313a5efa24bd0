// Portable SIMD: Simd<n> has the operations on vectors of n lanes. simd_dispatch compiles a kernel
// for each register width and runs the version for simd_width(), the width of this processor.
// Kernels use these vectors instead of inner loops over arrays, because GCC 12 unrolls many such
// loops into scalar code. It also turns vectors that are wider than the registers into scalar code,
// which is even slower, so no kernel may fix the number of its lanes.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "bf16.h"
#include "kernels/cpu_features.h"

/// Inlines a lambda.
#define TFM_BODY __attribute__((always_inline))

// All functions that take or return vectors are inlined, so the ABI for vectors does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tfm {

template <class Number, int64_t n>
struct VectorOf {
  // NOLINTNEXTLINE(modernize-use-using): GCC 12 rejects n in an alias-declaration
  typedef Number Type __attribute__((vector_size(n * sizeof(Number))));
};

/// A vector at any address. A pointer to numbers may be cast to a pointer to this type.
template <class Vector>
struct __attribute__((packed, may_alias)) Unaligned {
  Vector vector;
};

/// The number of lanes of the widest registers. Kernels pad the rows of their own arrays to a
/// multiple of this number on every processor.
constexpr int64_t max_lanes = 16;

/// Operations on vectors of n lanes.
template <int64_t n>
struct Simd {
  static constexpr int64_t count = n;
  using Floats = VectorOf<float, n>::Type;
  using Bits = VectorOf<uint32_t, n>::Type;
  using Shorts = VectorOf<uint16_t, n>::Type;
  using Integers = VectorOf<int32_t, n>::Type;

  static TFM_INLINE Floats broadcast(float x) { return Floats{} + x; }
  /// Returns 0, 1, ..., n - 1.
  static TFM_INLINE Integers indices() {
    Integers result;
#pragma GCC unroll 16
    for (int32_t i = 0; i < n; ++i) result[i] = i;
    return result;
  }
  static TFM_INLINE Floats load(const float* from) {
    return reinterpret_cast<const Unaligned<Floats>*>(from)->vector;
  }
  static TFM_INLINE Floats load(const Bf16* from) {
    return reinterpret_cast<Floats>(
        __builtin_convertvector(reinterpret_cast<const Unaligned<Shorts>*>(from)->vector, Bits)
        << 16);
  }
  static TFM_INLINE Floats load(const int8_t* from) {
    // For this loop, GCC 12 uses the instruction that widens n numbers; for
    // __builtin_convertvector, it uses many others.
    Integers numbers;
#pragma GCC unroll 16
    for (int64_t i = 0; i < n; ++i) numbers[i] = from[i];
    return __builtin_convertvector(numbers, Floats);
  }
  static TFM_INLINE void store(const Floats& x, float* to) {
    reinterpret_cast<Unaligned<Floats>*>(to)->vector = x;
  }
  /// Stores the lowest byte of each number.
  static TFM_INLINE void store_low_bytes(const Integers& x, int8_t* to) {
    using Bytes = VectorOf<int8_t, n>::Type;
    if constexpr (n == max_lanes) {  // which have an instruction for this
      reinterpret_cast<Unaligned<Bytes>*>(to)->vector = __builtin_convertvector(x, Bytes);
    } else {
      const auto bytes = reinterpret_cast<VectorOf<int8_t, 4 * n>::Type>(x);
      reinterpret_cast<Unaligned<Bytes>*>(to)->vector =
          every_fourth(bytes, std::make_index_sequence<n>());
    }
  }
  /// Rounds in the same way as narrow (bf16.h).
  static TFM_INLINE void store(const Floats& x, Bf16* to) {
    reinterpret_cast<Unaligned<Shorts>*>(to)->vector =
        __builtin_convertvector(to_bf16_bits(x), Shorts);
  }

  /// 2 * n neighbouring numbers, in an order that only load_pair() and store_pair() know. If they
  /// are loaded from fp32 or int8, `first` holds the first n numbers. If from bf16, `first`
  /// holds those with even indices and `second` those with odd ones, because one instruction widens
  /// each of these sets. GCC 12 needs five instructions to widen n neighbours.
  struct Pair {
    Floats first;
    Floats second;
  };
  static TFM_INLINE Pair load_pair(const float* from) { return {load(from), load(from + n)}; }
  static TFM_INLINE Pair load_pair(const Bf16* from) {
    const Bits bits = reinterpret_cast<const Unaligned<Bits>*>(from)->vector;
    return {reinterpret_cast<Floats>(bits << 16), reinterpret_cast<Floats>(bits & 0xffff0000U)};
  }
  static TFM_INLINE Pair load_pair(const int8_t* from) { return {load(from), load(from + n)}; }
  static TFM_INLINE void store_pair(const Pair& x, float* to) {
    store(x.first, to);
    store(x.second, to + n);
  }
  static TFM_INLINE void store_pair(const Pair& x, Bf16* to) {
    reinterpret_cast<Unaligned<Bits>*>(to)->vector =
        to_bf16_bits(x.first) | (to_bf16_bits(x.second) << 16);
  }

 private:
  template <class Bytes, std::size_t... i>
  static TFM_INLINE auto every_fourth(const Bytes& bytes, std::index_sequence<i...>) {
    return __builtin_shufflevector(bytes, bytes, (4 * i)...);
  }
  static TFM_INLINE Bits to_bf16_bits(const Floats& x) {
    const auto bits = reinterpret_cast<Bits>(x);
    const Bits rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
    return x == x ? rounded : Bits{} + 0x7fc0U;
  }
};

/// Returns the smallest multiple of max_lanes that is at least n.
TFM_INLINE int64_t round_up_to_lanes(int64_t n) {
  return (n + max_lanes - 1) / max_lanes * max_lanes;
}

struct Add {
  template <class T>
  TFM_INLINE T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
/// Returns the larger number, or b if either is NaN.
struct Max {
  template <class T>
  TFM_INLINE T operator()(const T& a, const T& b) const {
    return a > b ? a : b;
  }
};

/// Combines all lanes into one number in a tree: first the two halves, then the halves of the
/// result, and so on.
template <class Vector, class Operation>
TFM_INLINE auto reduce(const Vector& x, Operation operation) {
  using Number = std::remove_cvref_t<decltype(x[0])>;
  constexpr int64_t count = sizeof(Vector) / sizeof(Number);
  if constexpr (count == 2) {
    return operation(Number{x[0]}, Number{x[1]});
  } else {
    using Half = VectorOf<Number, count / 2>::Type;
    Half halves[2];
    std::memcpy(halves, &x, sizeof(halves));
    return reduce<Half>(operation(halves[0], halves[1]), operation);
  }
}

/// Divides all lanes into blocks, and a block into units of neighbouring lanes. Combines each unit
/// with an odd index with the one before. The results from a fill the lower half of each block,
/// those from b the upper half.
template <std::size_t unit, std::size_t block, class Floats, class Operation, std::size_t... lane>
TFM_INLINE Floats combine_neighbours(const Floats& a, const Floats& b, Operation operation,
                                     std::index_sequence<lane...>) {
  constexpr std::size_t half = block / 2;
  constexpr auto source = [](std::size_t to) {
    const std::size_t place = to % half / unit * 2 * unit + to % unit;
    return to / block * block + place + (to % block < half ? 0 : sizeof...(lane));
  };
  return operation(Floats(__builtin_shufflevector(a, b, (source(lane))...)),
                   Floats(__builtin_shufflevector(a, b, (source(lane) + unit)...)));
}

/// Returns a vector whose lane i is all lanes of rows[i] combined, for i < L::count, as reduce()
/// would do it with a third of the operations. Overwrites `rows`. Lanes first move within 128 bits,
/// which takes less time, and then blocks of 128 bits as a whole.
template <class L, class Operation, int64_t left = L::count / 2>
TFM_INLINE L::Floats reduce_each(typename L::Floats (&rows)[L::count], Operation operation) {
  constexpr bool within_128_bits = left >= L::count / 4;
  constexpr std::size_t unit = within_128_bits ? 1 : 4;
  constexpr std::size_t block = within_128_bits ? 4 : L::count;
#pragma GCC unroll 8
  for (int64_t i = 0; i < left; ++i)
    rows[i] = combine_neighbours<unit, block>(rows[2 * i], rows[2 * i + 1], operation,
                                              std::make_index_sequence<L::count>());
  if constexpr (left > 1) {
    return reduce_each<L, Operation, left / 2>(rows, operation);
  } else {
    return rows[0];
  }
}

/// Exchanges the lanes of a with bit `step` and the lanes of b without it.
template <std::size_t step, class Floats, std::size_t... lane>
TFM_INLINE void exchange_lanes(Floats& a, Floats& b, std::index_sequence<lane...>) {
  constexpr std::size_t count = sizeof...(lane);
  const Floats first = a;
  a = __builtin_shufflevector(first, b, ((lane & step) != 0 ? count + lane - step : lane)...);
  b = __builtin_shufflevector(first, b, ((lane & step) != 0 ? count + lane : lane + step)...);
}

/// Transposes a square matrix in registers: afterwards, lane j of rows[i] is the former lane i of
/// rows[j].
template <class L, int64_t step = 1>
TFM_INLINE void transpose(typename L::Floats (&rows)[L::count]) {
#pragma GCC unroll 16
  for (int64_t i = 0; i < L::count; ++i) {
    if ((i & step) == 0)
      exchange_lanes<step>(rows[i], rows[i + step], std::make_index_sequence<L::count>());
  }
  if constexpr (2 * step < L::count) transpose<L, 2 * step>(rows);
}

/// Accumulates a long row in max_lanes lanes, spread over `registers` registers of L::count lanes,
/// so the order of the additions is the same for every register width. Additions to different
/// registers need not wait for each other. The caller's loop over the row advances by max_lanes and
/// contains a loop over `registers`.
template <class L>
struct Accumulator {
  static constexpr int64_t registers = max_lanes / L::count;
  L::Floats parts[registers];

  TFM_INLINE explicit Accumulator(float begin) {
    for (auto& part : parts) part = L::broadcast(begin);
  }

  /// Combines all lanes into one number, in the same order for every register width.
  template <class Operation>
  TFM_INLINE float reduce(Operation operation) const {
    typename L::Floats left[registers];
    for (int64_t r = 0; r < registers; ++r) left[r] = parts[r];
    for (int64_t half = registers / 2; half > 0; half /= 2) {
      for (int64_t r = 0; r < half; ++r) left[r] = operation(left[r], left[r + half]);
    }
    return tfm::reduce(left[0], operation);
  }
};

/// Returns the number of lanes of this processor's registers (CpuFeatures::simd_width).
inline int64_t simd_width() { return cpu_features().simd_width; }

#if defined(__x86_64__)
template <class Body>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) auto simd_dispatch_avx512(
    const Body& body) {
  return body(Simd<16>());
}
template <class Body>
__attribute__((target("avx2,fma"))) auto simd_dispatch_avx2(const Body& body) {
  return body(Simd<8>());
}
#endif

/// Calls body(Simd<n>()) with n = simd_width(), compiled for registers of that width. Everything
/// that body calls must be inlined into it (TFM_INLINE):
///
///     simd_dispatch([&](auto lanes) TFM_BODY { return kernel<decltype(lanes)>(numbers); })
template <class Body>
auto simd_dispatch(const Body& body) {
#if defined(__x86_64__)
  const int64_t lanes = simd_width();
  if (lanes == 16) return simd_dispatch_avx512(body);
  if (lanes == 8) return simd_dispatch_avx2(body);
#endif
  return body(Simd<4>());
}

}  // namespace tfm
