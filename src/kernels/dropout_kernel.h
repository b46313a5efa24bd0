// Stateless dropout: whether an element falls is a hash of its index and a key, so nothing is kept
// for the backward pass, which recomputes it.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace tfm {

struct DropoutKey {
  uint32_t key_low;
  uint32_t key_high;
  uint32_t limit;  ///< an element whose hash is below falls
  float scale;     ///< what the others are multiplied by, 1 / (1 - p)
};

/// p: the probability that an element falls.
DropoutKey make_dropout_key(double p, uint64_t key);

/// What element `index` is multiplied by: 0 or key.scale.
float dropout_factor(int64_t index, const DropoutKey& key);

/// Elements [begin, end) of an array.
struct IndexRange {
  int64_t begin;
  int64_t end;
};

/// out[i] = in[i] * factor(i)
void apply_dropout(const float* in, float* out, IndexRange range, const DropoutKey& key);
void apply_dropout(const float* in, Bf16* out, IndexRange range, const DropoutKey& key);
void apply_dropout(const Bf16* in, Bf16* out, IndexRange range, const DropoutKey& key);

/// The arrays of a residual sum: out[i] = base[i] + in[i] * factor(i).
template <class In>
struct DropoutSum {
  const float* base;
  const In* in;
  float* out;
};
void add_dropout(const DropoutSum<float>& sum, IndexRange range, const DropoutKey& key);
void add_dropout(const DropoutSum<Bf16>& sum, IndexRange range, const DropoutKey& key);

}  // namespace tfm
