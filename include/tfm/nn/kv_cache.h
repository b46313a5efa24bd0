// Keys and values that decoding has computed already, so that each step projects only its own
// tokens. A row is a hypothesis of a search, which keeps, repeats or drops rows as it decides; at
// first it is a sentence. Two caches have this interface: IndirectKvCache, on the CPU and without
// rotary positions, never moves a key or a value; ContiguousKvCache, the plain form of the same,
// serves any device and can tell what the decoder attends to. R: rows; H * Dh: the width of all
// heads together. A step is begin_step, then for each layer in order self_attention and
// cross_attention. For inference.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tfm {

class KvCache {
 public:
  KvCache() = default;
  KvCache(const KvCache&) = delete;
  KvCache& operator=(const KvCache&) = delete;
  virtual ~KvCache() = default;

  virtual int64_t rows() const = 0;
  /// The number of target positions so far, the same in all rows.
  virtual int64_t positions() const = 0;

  /// Row i becomes the former row parents[i]; a row that no one descends from is gone.
  virtual void reorder(std::span<const std::int32_t> parents) = 0;

  /// Makes space for one more position of all rows.
  virtual void begin_step() = 0;

  /// qkv [R, 3 * H * Dh]: queries, keys and values of the new position. The cache keeps keys and
  /// values and attends to those of all positions -> [R, H * Dh].
  virtual torch::Tensor self_attention(std::size_t layer, const torch::Tensor& qkv) = 0;

  /// queries [R, H * Dh] over the encoder's output -> [R, H * Dh].
  virtual torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries) = 0;

  /// The last step's cross-attention, the mean over all layers and heads, [R, S]; undefined if the
  /// cache doesn't keep it.
  virtual torch::Tensor mean_attention() const { return {}; }
};

}  // namespace tfm
