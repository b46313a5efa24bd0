// A cache of the keys and values of earlier decoding steps, so that each step projects only its own
// tokens. A row is a hypothesis of a search, which keeps, repeats and drops rows; at the start,
// there is one row per sentence. Sentences may also join later, and then have fewer positions than
// the rows that are there.
// There are two implementations. IndirectKvCache never moves keys or values; for its conditions,
// see Transformer::supports_indirect_cache. ContiguousKvCache, the reference implementation, has no
// conditions and can return attention weights.
// R is the number of rows, and H * Dh the size of all heads together. After the start and after
// join, add_layer is called for each layer, in order, before the next step. A step calls
// begin_step, then for each layer, in order, self_attention and cross_attention. The cache is for
// inference only.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

class KvCache {
 public:
  KvCache() = default;
  KvCache(const KvCache&) = delete;
  KvCache& operator=(const KvCache&) = delete;
  virtual ~KvCache() = default;

  /// Returns true if sentences can join.
  virtual bool can_join() const { return false; }
  /// Adds a row, without positions, for each sentence of the source, after the rows that are there.
  /// Throws std::logic_error unless can_join() is true.
  virtual void join(const UnpaddedLayout& source);

  /// Adds a layer of the newest sentences. `memory` is the encoder output projected to the keys and
  /// values of the layer: [M, 2 * H * Dh] for the M tokens of an UnpaddedLayout, [B, S, 2 * H * Dh]
  /// for a PaddedLayout. The cache keeps a copy in its own layout, so `memory` can be freed before
  /// the next layer's is computed.
  virtual void add_layer(const torch::Tensor& memory) = 0;

  virtual int64_t rows() const = 0;
  /// The number of target positions so far, of the rows that have the most.
  virtual int64_t positions() const = 0;
  /// Returns the number of target positions of each row, [R] int64 on the CPU, or an undefined
  /// tensor if all rows have the same number.
  virtual torch::Tensor row_positions() const { return {}; }

  /// Replaces row i by the former row parents[i]. Rows that are not in `parents` are dropped.
  virtual void reorder(std::span<const std::int32_t> parents) = 0;

  /// Starts a step, which adds one position to every row.
  virtual void begin_step() = 0;

  /// Adds the keys and values of the new position to the cache and attends to all positions so far.
  /// qkv [R, 3 * H * Dh] holds the queries, keys and values. Returns [R, H * Dh].
  virtual torch::Tensor self_attention(std::size_t layer, const torch::Tensor& qkv) = 0;

  /// Attends to the encoder output: queries [R, H * Dh] -> [R, H * Dh].
  virtual torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries) = 0;

  /// Returns the cross-attention of the newest step, [R, S], averaged over all layers and heads, or
  /// an undefined tensor if the cache does not store cross-attention.
  virtual torch::Tensor mean_attention() const { return {}; }
};

}  // namespace tfm
