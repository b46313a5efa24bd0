#include "kernels/dropout_kernel.h"

#include <algorithm>

#include "kernels/simd.h"

namespace tfm {
namespace {

/// Hashes an index with a key to 32 well-mixed bits. The two halves of the key enter the hash at
/// different points, so that the hashes for one key are not the hashes for another key in a
/// different order.
TFM_INLINE uint32_t hash(uint32_t index, uint32_t key_low, uint32_t key_high) {
  uint32_t x = index ^ key_low;
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= key_high;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

/// Returns the limit for hashes: a hash is below the limit with probability p. An element with such
/// a hash is dropped.
uint32_t threshold(double p) {
  return static_cast<uint32_t>(std::min(p * 4294967296.0, 4294967295.0));
}

/// Returns the factor that dropout applies to element `index`: 0 or k.scale.
TFM_INLINE float factor_at(int64_t index, DropoutKey k) {
  return hash(static_cast<uint32_t>(index), k.key_low, k.key_high) >= k.limit ? k.scale : 0.0F;
}

template <class In, class Out>
TFM_INLINE void multiply(const In* in, Out* out, IndexRange range, DropoutKey k) {
  for (int64_t i = range.begin; i < range.end; ++i) narrow(widen(in[i]) * factor_at(i, k), out[i]);
}

template <class In>
TFM_INLINE void multiply_add(const DropoutSum<In>& sum, IndexRange range, DropoutKey k) {
  for (int64_t i = range.begin; i < range.end; ++i)
    sum.out[i] = sum.base[i] + widen(sum.in[i]) * factor_at(i, k);
}

template <class In, class Out>
void dispatch(const In* in, Out* out, IndexRange range, const DropoutKey& key) {
  simd_dispatch([&](auto) TFM_BODY { multiply(in, out, range, key); });
}

template <class In>
void dispatch_add(const DropoutSum<In>& sum, IndexRange range, const DropoutKey& key) {
  simd_dispatch([&](auto) TFM_BODY { multiply_add(sum, range, key); });
}

}  // namespace

DropoutKey make_dropout_key(double p, uint64_t key) {
  return {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), threshold(p),
          static_cast<float>(1 / (1 - p))};
}

float dropout_factor(int64_t index, const DropoutKey& key) { return factor_at(index, key); }

void apply_dropout(const float* in, float* out, IndexRange range, const DropoutKey& key) {
  dispatch(in, out, range, key);
}
void apply_dropout(const float* in, Bf16* out, IndexRange range, const DropoutKey& key) {
  dispatch(in, out, range, key);
}
void apply_dropout(const Bf16* in, Bf16* out, IndexRange range, const DropoutKey& key) {
  dispatch(in, out, range, key);
}

void add_dropout(const DropoutSum<float>& sum, IndexRange range, const DropoutKey& key) {
  dispatch_add(sum, range, key);
}
void add_dropout(const DropoutSum<Bf16>& sum, IndexRange range, const DropoutKey& key) {
  dispatch_add(sum, range, key);
}

}  // namespace tfm
