// Stateless dropout: a hash of an element's index and a key decides whether the element is dropped.
// The backward pass recomputes the hash, so no mask is stored.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct DropoutKey {
  uint32_t key_low;
  uint32_t key_high;
  uint32_t limit;  ///< elements with a hash below the limit are dropped
  float scale;     ///< factor of the other elements, 1 / (1 - p)
};

/// Returns the key for dropout with probability p and the 64 random bits of `key`.
DropoutKey make_dropout_key(double p, uint64_t key);

/// Returns the factor that dropout applies to element `index`: 0 or key.scale.
float dropout_factor(int64_t index, const DropoutKey& key);

/// The elements [begin, end) of an array.
struct IndexRange {
  int64_t begin;
  int64_t end;
};

/// Computes out[i] = in[i] * dropout_factor(i) for the elements of the range.
void apply_dropout(const float* in, float* out, IndexRange range, const DropoutKey& key);
void apply_dropout(const float* in, Bf16* out, IndexRange range, const DropoutKey& key);
void apply_dropout(const Bf16* in, Bf16* out, IndexRange range, const DropoutKey& key);

/// The arrays of a residual sum: out[i] = base[i] + in[i] * dropout_factor(i).
template <class In>
struct DropoutSum {
  const float* base;
  const In* in;
  float* out;
};
void add_dropout(const DropoutSum<float>& sum, IndexRange range, const DropoutKey& key);
void add_dropout(const DropoutSum<Bf16>& sum, IndexRange range, const DropoutKey& key);

}  // namespace tfm
